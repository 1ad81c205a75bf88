// Films in the engine: their frames, one after another or at a time.
#include "view/engine/engine.hpp"

#include "view/engine/parts.hpp"

#include <algorithm>
#include <chrono>
#include <memory>
#include <optional>
#include <utility>

namespace glproc::view {

/// False at the end.
bool Engine::next_frame(Context& gpu) {
    std::optional<FilmImage> frame = film_->next(gpu);
    if (!frame) {
        return false;
    }
    seconds_ = frame->seconds;
    const double lasts = frame->lasts;
    const std::optional<std::int64_t> number = frame->number;
    picture_.reset();
    facts_ = {};
    ++source_number_;
    form_ = frame->image.form();
    pixel_aspect_ = film_->pixel_aspect();
    sources_.assign(1, std::make_shared<GpuImage>(std::move(frame->image)));
    gpu.finish();
    tell([&](News& news) {
        news.source = {sources_[0], nullptr, form_, pixel_aspect_};
        news.before = {};
        news.playing.seconds = seconds_;
        news.playing.lasts = lasts;
        news.playing.frame = number;
    });
    return true;
}

/// One frame of a film that plays, and when it is time for the next.
void Engine::play_on(Context& gpu) {
    try {
        play_frame(gpu);
    } catch (const Error&) {
        plays_ = false;
        tell([](News& news) { news.playing.plays = false; });
        throw;
    }
}

void Engine::play_frame(Context& gpu) {
    const double before = seconds_;
    const double frame = film_->rate() > 0 ? 1 / film_->rate() : 1.0 / 25;
    // Where the work takes longer than a frame lasts, some are passed over.
    const int late = film_->duration() > 0 ? static_cast<int>(milliseconds_since(due_) / 1000 / frame) : 0;
    for (int i = 0; i < late && film_->skip(); ++i) {
        due_ += std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(frame));
    }
    if (!next_frame(gpu)) {
        film_->seek(0);
        plays_ = loops_ && next_frame(gpu);
        due_ = Clock::now();
    }
    show_now(gpu, last_);
    const double lasts = seconds_ > before ? std::min(seconds_ - before, 1.0) : frame;
    due_ +=
        std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(late > 0 ? frame : lasts));
    const Clock::time_point now = Clock::now();
    due_ = film_->duration() == 0 ? now : std::max(due_, now - std::chrono::milliseconds(500));
    tell([&](News& news) { news.playing.plays = plays_; });
}

void Engine::play(bool on) {
    post([this, on](Context&) {
        plays_ = on && film_ != nullptr;
        due_ = Clock::now();
        tell([&](News& news) { news.playing.plays = plays_; });
    });
}

void Engine::seek(double seconds) {
    post([this, seconds](Context& gpu) {
        if (film_ != nullptr) {
            film_->seek(std::clamp(seconds, 0.0, film_->duration()));
            next_frame(gpu);
            due_ = Clock::now();
            show_now(gpu, last_);
        }
    });
}

void Engine::step() {
    post([this](Context& gpu) {
        plays_ = false;
        tell([](News& news) { news.playing.plays = false; });
        if (film_ != nullptr && next_frame(gpu)) {
            show_now(gpu, last_);
        }
    });
}

void Engine::step_back() {
    post([this](Context& gpu) {
        plays_ = false;
        tell([](News& news) { news.playing.plays = false; });
        if (film_ == nullptr) {
            return;
        }
        if (const std::optional<std::int64_t> number = news().playing.frame) {
            film_->seek_frame(std::max<std::int64_t>(*number - 1, 0));
        } else { // into the frame before, if all last as long
            film_->seek(std::max(seconds_ - (film_->rate() > 0 ? 0.5 / film_->rate() : 0.02), 0.0));
        }
        if (next_frame(gpu)) {
            show_now(gpu, last_);
        }
    });
}

void Engine::show_as_sdr(bool on) {
    post([this, on](Context& gpu) {
        as_sdr_ = on;
        tell([&](News& news) { news.playing.is_as_sdr = on; });
        if (film_ != nullptr) {
            film_->show_as_sdr(on);
            film_->seek(seconds_); // to the frame that is shown
            next_frame(gpu);
            show_now(gpu, last_);
        }
    });
}

} // namespace glproc::view
