#include "glproc/gl/staging.hpp"

#include <algorithm>
#include <bit>

namespace glproc {

Staging::Slot& Staging::next(std::size_t bytes) {
    Slot& slot = slots_[next_];
    next_ = (next_ + 1) % slot_count;
    slot.wait();
    if (!slot.buffer_ || slot.buffer_->bytes() < bytes) {
        slot.buffer_.reset();
        slot.buffer_.emplace(make_(std::bit_ceil(bytes)));
    }
    return slot;
}

std::size_t Staging::part_bytes(std::size_t all) const {
    constexpr std::size_t least = std::size_t{256} << 10U;
    return std::clamp(std::bit_ceil(all / (2 * slot_count)), least, most_);
}

} // namespace glproc
