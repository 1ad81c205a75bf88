// A progress bar for people who wait.
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>

namespace glproc::cli {

/// One line at the bottom of the terminal on stderr that appears after half a second and goes when the object
/// does. A thread of its own draws it, as the work that it speaks of does not come back in between.
class Progress {
  public:
    /// Does nothing at all unless `enabled`.
    explicit Progress(bool enabled);
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;
    ~Progress();

    /// `done` of `all` steps lie behind us, and `step` has begun.
    void show(std::string_view step, int done, int all);

    /// Of the step that has begun: which share is done, 0 to 1. The bar then speaks of it alone, and of the
    /// time that is left.
    void advance(double share);

    /// Clears the line until the next show().
    void hide();

  private:
    void draw_until_stopped();
    void draw(std::string_view text);

    std::mutex mutex_;
    std::condition_variable wake_;
    std::string text() const;

    std::string bar_; ///< what there is to show, while nobody tells how far the step is
    std::string step_;
    double share_ = 0; ///< of the step
    std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
    std::chrono::steady_clock::time_point step_begin_ = begin_;
    std::string drawn_; ///< what the terminal shows
    bool stop_ = false;
    std::thread thread_;
};

} // namespace glproc::cli
