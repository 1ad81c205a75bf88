#include "cli/progress.hpp"

#include "cli/terminal.hpp"

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

void Progress::show(std::string_view step, int done, int all) {
    const auto filled = static_cast<std::size_t>(done) * 30 / static_cast<std::size_t>(all);
    const std::lock_guard lock(mutex_);
    bar_ = fmt::format("[{:-<30}] {}", std::string(filled, '#'), step);
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
    const auto begin = std::chrono::steady_clock::now();
    std::unique_lock lock(mutex_);
    for (auto wait = patience; !wake_.wait_for(lock, wait, [this] { return stop_; }); wait = tick) {
        const std::chrono::duration<double> waited = std::chrono::steady_clock::now() - begin;
        draw(bar_.empty() ? bar_ : fmt::format("{}  {:.0f} s", bar_, std::floor(waited.count())));
    }
    draw({});
}

} // namespace glproc::cli
