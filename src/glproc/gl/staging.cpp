#include "glproc/gl/staging.hpp"

#include "glproc/error.hpp"
#include "glproc/gl/debug.hpp"

#include <algorithm>
#include <bit>

#include <glad/gl.h>

namespace glproc {

void Staging::Slot::FenceTraits::destroy(Type fence) {
    glDeleteSync(fence);
}

void Staging::Slot::fence() {
    // The first bit is of GL_ARB_buffer_storage, unknown to contexts without it.
    glMemoryBarrier(buffer_->place() == BufferPlace::mapped ? GL_CLIENT_MAPPED_BUFFER_BARRIER_BIT
                                                            : GL_BUFFER_UPDATE_BARRIER_BIT);
    fence_ = Handle<FenceTraits>(glFenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0));
}

void Staging::Slot::wait() {
    if (!fence_) {
        return;
    }
    constexpr GLuint64 second = 1'000'000'000;
    GLenum state = GL_TIMEOUT_EXPIRED;
    while (state == GL_TIMEOUT_EXPIRED) {
        state = glClientWaitSync(fence_.get(), GL_SYNC_FLUSH_COMMANDS_BIT, second);
    }
    fence_ = {};
    if (state == GL_WAIT_FAILED) {
        check_gl("waiting for a transfer");
        throw Error(ErrorCode::gpu, "the GPU did not finish a transfer");
    }
}

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

std::size_t Staging::part_bytes(std::size_t all) {
    constexpr std::size_t least = std::size_t{256} << 10U;
    return std::clamp(std::bit_ceil(all / (2 * slot_count)), least, most_bytes);
}

} // namespace glproc
