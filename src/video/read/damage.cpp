#include "video/read/damage.hpp"

#include <cstddef>

namespace glproc::video {

void Damage::begin(AVCodecContext& decoder, const AVPacket& packet) {
    constexpr std::size_t enough = 1024; // packets inside a decoder
    const std::lock_guard lock(mutex_);
    sent_.push_back({this, packet.pts});
    if (sent_.size() > enough) {
        sent_.pop_front();
    }
    decoder.opaque = &sent_.back(); // which the thread that takes the packet copies
}

bool Damage::reaches(std::int64_t time) {
    const std::lock_guard lock(mutex_);
    if (time == AV_NOPTS_VALUE) {
        return times_.erase(time) > 0;
    }
    const auto first = asked_ && *asked_ < time ? times_.upper_bound(*asked_) : times_.lower_bound(time);
    const auto end = times_.upper_bound(time);
    const bool damaged = first != end;
    times_.erase(times_.begin(), end);
    asked_ = time;
    return damaged;
}

void Damage::clear() {
    const std::lock_guard lock(mutex_);
    times_.clear();
    asked_.reset();
}

void note_damage(const void* about) {
    if (about == nullptr || *static_cast<const AVClass* const*>(about) != avcodec_get_class()) {
        return;
    }
    if (const auto* sent =
            static_cast<const Damage::Sent*>(static_cast<const AVCodecContext*>(about)->opaque)) {
        const std::lock_guard lock(sent->of->mutex_);
        sent->of->times_.insert(sent->time);
    }
}

} // namespace glproc::video
