// A progress bar for people who wait.
#pragma once

#include "job/stages.hpp"

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>

namespace glproc::cli {

/// A steady estimate of the time that is left, from shares of the work as they are done.
class TimeLeft {
  public:
    /// `seconds` after the beginning `share` was done. Nothing while it is too early to tell. Counts down; it
    /// goes up only where the work has become much slower.
    std::optional<double> after(double seconds, double share);

  private:
    double end_ = 0;   ///< seconds after the beginning
    double shown_ = 0; ///< the end that was last told
};

/// One line at the bottom of the terminal on stderr that appears after half a second and goes when the object
/// does. A thread of its own draws it, as the work that it speaks of does not come back in between.
class Progress final : public job::Watcher {
  public:
    /// Does nothing at all unless `enabled`.
    explicit Progress(bool enabled);
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;
    ~Progress() override;

    /// `done` of `all` steps are done, and `step` has begun. The bar never goes back.
    void show(std::string_view step, int done, int all) override;

    /// Which share of the work is done, 0 to 1. The rest of the bar then stands for it alone, with the time
    /// that is left.
    void advance(double share) override;

    /// Clears the line until the next show().
    void hide() override;

  private:
    void draw_until_stopped();
    void draw(std::string_view text);

    std::string text();

    std::mutex mutex_;
    std::condition_variable wake_;
    std::string step_;  ///< empty where there is nothing to show
    double filled_ = 0; ///< of the bar
    double share_ = 0;  ///< of the work, as last reported
    double before_ = 0; ///< of the bar, when the first share was reported
    std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
    std::chrono::steady_clock::time_point share_begin_ = begin_;
    TimeLeft left_;
    std::string drawn_; ///< what the terminal shows
    bool stop_ = false;
    std::thread thread_;
};

} // namespace glproc::cli
