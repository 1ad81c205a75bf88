// The stages of a run: how long each took, and which one a person waits for.
#pragma once

#include "glproc/base/clock.hpp"

#include <array>
#include <atomic>
#include <cstddef>
#include <string_view>
#include <utility>

namespace glproc::job {

enum class Stage : std::size_t {
    start,
    context,
    compile,
    check,
    decode,
    upload,
    compute,
    download,
    encode,
    exit,
    decode_on_gpu, ///< the two are told where they were there
    encode_on_gpu
};

inline constexpr std::array<std::string_view, 12> stage_names{
    "start",   "context",  "compile", "check", "decode",       "upload",
    "compute", "download", "encode",  "exit",  "decode (GPU)", "encode (GPU)"};

/// Whoever shows a person how far a run has come, from any thread.
class Watcher {
  public:
    Watcher() = default;
    Watcher(const Watcher&) = delete;
    Watcher& operator=(const Watcher&) = delete;
    virtual ~Watcher() = default;

    /// `done` of `all` steps are done, and `step` has begun.
    virtual void show(std::string_view step, int done, int all) = 0;
    /// Which share of the work is done, 0 to 1.
    virtual void advance(double share) = 0;
    /// Until the next show().
    virtual void hide() = 0;
};

/// Stages may run on several threads at once.
class Stages {
  public:
    /// `begin`: of the process. `watcher` may be null, and outlives this object.
    explicit Stages(Clock::time_point begin, Watcher* watcher = nullptr) : begin_(begin), watcher_(watcher) {
        set(Stage::start, total());
    }

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
    double total() const { return milliseconds_since(begin_); }

    /// Which share of the stage that has begun is done, 0 to 1.
    void advance(double share) {
        if (Watcher* watcher = watcher_) {
            watcher->advance(share);
        }
    }

    /// As run(), for work in parallel with the stage that a person waits for: it is not shown.
    template <class Work>
    void run_beside(Stage stage, Work&& work) {
        const Clock::time_point begin = Clock::now();
        std::forward<Work>(work)();
        add(stage, milliseconds_since(begin));
    }

    /// Takes what is shown off the terminal, until the next stage.
    void hide() {
        if (Watcher* watcher = watcher_) {
            watcher->hide();
        }
    }
    /// Until the end: somebody else shows what is under way.
    void show_no_more() {
        hide();
        watcher_ = nullptr;
    }

  private:
    class Lap {
      public:
        Lap(Stages& stages, Stage stage);
        Lap(const Lap&) = delete;
        Lap& operator=(const Lap&) = delete;
        ~Lap() { stages_.add(stage_, milliseconds_since(begin_)); }

      private:
        Stages& stages_;
        Stage stage_;
        Clock::time_point begin_ = Clock::now();
    };

    static std::size_t index(Stage stage) { return static_cast<std::size_t>(stage); }

    Clock::time_point begin_;
    std::atomic<Watcher*> watcher_;
    std::array<std::atomic<double>, stage_names.size()> milliseconds_{};
    std::atomic<unsigned> begun_ = 0; ///< a bit for each stage
};

} // namespace glproc::job
