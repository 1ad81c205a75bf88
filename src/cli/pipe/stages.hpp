// The stages of a run: how long each took, and which one a person waits for.
#pragma once

#include "cli/pipe/timing_sheet.hpp"
#include "cli/terminal/process_clock.hpp"
#include "cli/terminal/progress.hpp"

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <optional>
#include <string_view>
#include <utility>

namespace glproc::cli {

/// Stages may run on several threads at once.
class Stages {
  public:
    /// With a progress bar where `show` is set.
    explicit Stages(bool show) : progress_(show) { set(Stage::start, total()); }

    /// What `work` returns; its time counts for `stage`.
    template <class Work>
    decltype(auto) run(Stage stage, Work&& work) {
        const Lap lap(*this, stage);
        return std::forward<Work>(work)();
    }

    double milliseconds(Stage stage) const { return milliseconds_[index(stage)]; }

    /// Adds to a stage, from any thread; less than 0 for time that belongs to another stage.
    void add(Stage stage, double milliseconds) { milliseconds_[index(stage)] += milliseconds; }

    /// Replaces what was measured from outside by what the device reports.
    void set(Stage stage, double milliseconds) { milliseconds_[index(stage)] = milliseconds; }

    /// Since the process began.
    double total() const { return milliseconds_since(process_start()); }

    /// Which share of the stage that has begun is done, 0 to 1.
    void advance(double share) { progress_.advance(share); }

    /// As run(), for work in parallel with the stage that a person waits for: no bar shows it.
    template <class Work>
    void run_beside(Stage stage, Work&& work) {
        const Clock::time_point begin = Clock::now();
        std::forward<Work>(work)();
        add(stage, milliseconds_since(begin));
    }

    /// Takes the progress bar off the terminal, until the next stage.
    void hide() { progress_.hide(); }
    /// Until the end: somebody else shows what is under way.
    void show_no_more() {
        is_shown_ = false;
        hide();
    }

    /// Prints what --timing asks for, once the process has ended. `millions` is how much was worked on; only
    /// text says `what`. Of many `pictures` the stages of all are added up.
    void report(TimingFormat format, std::string_view device, double millions, std::string_view what,
                std::optional<std::size_t> pictures = std::nullopt) const;

  private:
    using Clock = std::chrono::steady_clock;

    class Lap {
      public:
        Lap(Stages& stages, Stage stage);
        Lap(const Lap&) = delete;
        Lap& operator=(const Lap&) = delete;
        ~Lap();

      private:
        Stages& stages_;
        Stage stage_;
        Clock::time_point begin_ = Clock::now();
    };

    static std::size_t index(Stage stage) { return static_cast<std::size_t>(stage); }
    static double milliseconds_since(Clock::time_point begin);

    std::array<std::atomic<double>, stage_names.size()> milliseconds_{};
    std::atomic<unsigned> begun_ = 0; ///< a bit for each stage
    std::atomic<bool> is_shown_ = true;
    Progress progress_;
};

} // namespace glproc::cli
