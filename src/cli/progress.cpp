#include "cli/progress.hpp"

#include "cli/terminal.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>

#include <fmt/format.h>

namespace glproc::cli {

Progress::Progress(bool enabled) {
    if (enabled) {
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

void Progress::show(std::string_view step, int done, int all) {
    const std::lock_guard lock(mutex_);
    bar_ = bar_of(double(done) / all, step);
    step_ = step;
    share_ = 0;
    step_begin_ = std::chrono::steady_clock::now();
}

void Progress::advance(double share) {
    const std::lock_guard lock(mutex_);
    share_ = share;
}

std::string Progress::text() const {
    if (bar_.empty() || share_ <= 0) {
        return bar_.empty() ? bar_ : fmt::format("{}  {:.0f} s", bar_, std::floor(seconds_since(begin_)));
    }
    const double left = seconds_since(step_begin_) * (1 - share_) / share_;
    return fmt::format("{}  {:.0f} %, {} left", bar_of(share_, step_), std::floor(100 * share_),
                       duration_text(left));
}

void Progress::hide() {
    const std::lock_guard lock(mutex_);
    bar_.clear();
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
