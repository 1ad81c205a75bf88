#include "cli/terminal/progress.hpp"

#include "cli/terminal/terminal.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>

#include <fmt/format.h>

namespace glproc::cli {

Progress::Progress(bool enabled) {
    if (enabled && redraws()) {
        thread_ = std::thread([this] { draw_until_stopped(); });
    }
}

Progress::~Progress() {
    if (!thread_.joinable()) {
        return;
    }
    {
        const std::lock_guard lock(mutex_);
        stop_ = true;
    }
    wake_.notify_one();
    thread_.join();
}

namespace {

std::string bar_of(double share, std::string_view step) {
    constexpr int length = 30;
    const auto filled = static_cast<std::size_t>(std::floor(std::clamp(share, 0.0, 1.0) * length));
    return fmt::format("[{:-<{}}] {}", std::string(filled, '#'), length, step);
}

/// "7 s", "2:05 min", "3:04 h".
std::string duration_text(double seconds) {
    const auto whole = static_cast<long>(std::ceil(seconds));
    return whole < 60     ? fmt::format("{} s", whole)
           : whole < 3600 ? fmt::format("{}:{:02} min", whole / 60, whole % 60)
                          : fmt::format("{}:{:02} h", whole / 3600, whole / 60 % 60);
}

double seconds_since(std::chrono::steady_clock::time_point begin) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

} // namespace

std::optional<double> TimeLeft::after(double seconds, double share) {
    constexpr double early = 1;       // second
    constexpr double least = 0.02;    // of the work
    constexpr double smoothing = 0.1; // of each new estimate
    constexpr double slower = 1.25;
    if (share < least || seconds < early) {
        return std::nullopt;
    }
    const double end = seconds / share;
    end_ = end_ == 0 ? end : end_ + smoothing * (end - end_);
    const double left = end_ - seconds;
    if (shown_ == 0 || end_ < shown_ || left > slower * std::max(shown_ - seconds, 1.0)) {
        shown_ = end_;
    }
    return std::max(shown_ - seconds, 0.0);
}

void Progress::show(std::string_view step, int done, int all) {
    const std::lock_guard lock(mutex_);
    step_ = step;
    if (share_ == 0) {
        filled_ = std::max(filled_, double(done) / all);
    }
}

void Progress::advance(double share) {
    const std::lock_guard lock(mutex_);
    if (share_ == 0) {
        before_ = filled_;
        share_begin_ = std::chrono::steady_clock::now();
    }
    share_ = std::max(share_, share);
    filled_ = before_ + (1 - before_) * share_;
}

std::string Progress::text() {
    if (step_.empty()) {
        return {};
    }
    const std::string bar = bar_of(filled_, step_);
    if (share_ == 0) {
        return fmt::format("{}  {:.0f} s", bar, std::floor(seconds_since(begin_)));
    }
    const std::optional<double> left = left_.after(seconds_since(share_begin_), share_);
    return fmt::format("{}  {:.0f} %{}", bar, std::floor(100 * filled_),
                       left ? fmt::format(", {} left", duration_text(*left)) : "");
}

void Progress::hide() {
    const std::lock_guard lock(mutex_);
    step_.clear();
    draw({});
}

void Progress::draw(std::string_view text) {
    if (drawn_ != text) {
        print_stderr(fmt::format("\r{}\x1b[K", text));
        drawn_ = text;
    }
}

void Progress::draw_until_stopped() {
    constexpr std::chrono::milliseconds patience{500};
    constexpr std::chrono::milliseconds tick{100};
    std::unique_lock lock(mutex_);
    for (auto wait = patience; !wake_.wait_for(lock, wait, [this] { return stop_; }); wait = tick) {
        draw(text());
    }
    draw({});
}

} // namespace glproc::cli
