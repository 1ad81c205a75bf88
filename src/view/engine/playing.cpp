// Videos in the engine: their frames, one after another or at a time.
#include "view/engine/engine.hpp"

#include "view/engine/parts.hpp"

#include <algorithm>
#include <chrono>
#include <memory>
#include <optional>
#include <utility>

namespace glproc::view {

namespace {

Clock::duration duration_of(double seconds) {
    return std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
}

} // namespace

/// False at the end.
bool Engine::next_frame(Context& gpu) {
    std::optional<VideoImage> frame = video_->next(gpu);
    if (!frame) {
        return false;
    }
    picture_.reset();
    facts_ = {};
    ++source_number_;
    form_ = frame->image.form();
    pixel_aspect_ = video_->facts().pixel_aspect;
    sources_.assign(1, std::make_shared<GpuImage>(std::move(frame->image)));
    gpu.finish();
    tell([&](News& news) {
        news.source = {sources_[0], nullptr, form_, pixel_aspect_};
        news.before = {};
        static_cast<FrameTime&>(news.playing) = frame->time;
    });
    return true;
}

/// One frame of a video that plays, and when it is time for the next.
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
    const double before = news().playing.seconds;
    const VideoFacts& video = video_->facts();
    const double frame = video.rate > 0 ? 1 / video.rate : 1.0 / 25;
    // Where the work takes longer than a frame lasts, some are passed over.
    const int late = video.duration > 0 ? static_cast<int>(milliseconds_since(due_) / 1000 / frame) : 0;
    for (int i = 0; i < late && video_->skip(); ++i) {
        due_ += duration_of(frame);
    }
    if (!next_frame(gpu)) {
        video_->seek(0);
        plays_ = loops_ && next_frame(gpu);
        due_ = Clock::now();
    }
    show_now(gpu, last_);
    const double passed = news().playing.seconds - before;
    const double lasts = passed > 0 ? std::min(passed, 1.0) : frame;
    due_ += duration_of(late > 0 ? frame : lasts);
    const Clock::time_point now = Clock::now();
    due_ = video.duration == 0 ? now : std::max(due_, now - std::chrono::milliseconds(500));
    tell([&](News& news) { news.playing.plays = plays_; });
}

/// One of the functions below, which are for videos alone: it goes to another frame, which is then shown.
void Engine::post_move(bool goes_on, const std::function<void(Video&)>& move) {
    post([this, goes_on, move](Context& gpu) {
        if (!goes_on) {
            plays_ = false;
            tell([](News& news) { news.playing.plays = false; });
        }
        if (video_ != nullptr) {
            move(*video_);
            due_ = Clock::now();
            if (next_frame(gpu)) {
                show_now(gpu, last_);
            }
        }
    });
}

void Engine::play(bool on) {
    post([this, on](Context&) {
        plays_ = on && video_ != nullptr;
        due_ = Clock::now();
        tell([&](News& news) { news.playing.plays = plays_; });
    });
}

void Engine::seek(double seconds) {
    post_move(true, [seconds](Video& video) { video.seek(std::clamp(seconds, 0.0, video.facts().duration)); });
}

void Engine::step() {
    post_move(false, [](Video&) {});
}

void Engine::step_back() {
    post_move(false, [this](Video& video) {
        const Playing now = news().playing;
        if (now.frame) {
            video.seek_frame(std::max<std::int64_t>(*now.frame - 1, 0));
        } else { // into the frame before, if all last as long
            video.seek(std::max(now.seconds - (now.rate > 0 ? 0.5 / now.rate : 0.02), 0.0));
        }
    });
}

void Engine::show_as_sdr(bool on) {
    post([this, on](Context&) {
        as_sdr_ = on;
        tell([&](News& news) { news.playing.is_as_sdr = on; });
    });
    post_move(true, [this, on](Video& video) {
        video.show_as_sdr(on);
        video.seek(news().playing.seconds); // to the frame that is shown
    });
}

} // namespace glproc::view
