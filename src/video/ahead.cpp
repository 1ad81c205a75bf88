#include "video/ahead.hpp"

#include <utility>

namespace glproc::video {

void LookAhead::fill() {
    while (!ended_ && frames_.size() <= ahead_) {
        try {
            std::optional<FrameData> frame = next_();
            ended_ = !frame;
            if (frame) {
                frames_.push_back(std::make_shared<FrameData>(std::move(*frame)));
            }
        } catch (...) { // of the frames before it, something may be kept
            failure_ = std::current_exception();
            ended_ = true;
        }
    }
}

std::optional<FrameAmong> LookAhead::next() {
    fill();
    if (frames_.empty()) {
        if (failure_) {
            std::rethrow_exception(std::exchange(failure_, nullptr));
        }
        return std::nullopt;
    }
    FrameAmong among{number_++, {frames_.begin(), frames_.end()}};
    frames_.pop_front();
    return among;
}

} // namespace glproc::video
