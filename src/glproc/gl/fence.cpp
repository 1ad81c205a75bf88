#include "glproc/gl/fence.hpp"

#include "glproc/base/error.hpp"
#include "glproc/gl/debug.hpp"

#include <fmt/format.h>
#include <glad/gl.h>

namespace glproc {

void Fence::Traits::destroy(Type fence) {
    glDeleteSync(fence);
}

Fence::Fence(BufferPlace place) {
    // The first bit is of GL_ARB_buffer_storage, unknown to contexts without it.
    glMemoryBarrier(place == BufferPlace::mapped ? GL_CLIENT_MAPPED_BUFFER_BARRIER_BIT
                                                 : GL_BUFFER_UPDATE_BARRIER_BIT);
    fence_ = Handle<Traits>(glFenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0));
}

void Fence::wait(std::string_view what) {
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
        check_gl(fmt::format("waiting for {}", what));
        throw Error(ErrorCode::gpu, fmt::format("the GPU did not finish {}", what));
    }
}

} // namespace glproc
