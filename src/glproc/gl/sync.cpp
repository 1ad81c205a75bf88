#include "glproc/gl/sync.hpp"

#include "glproc/base/error.hpp"

#include <glad/gl.h>

namespace glproc {

void BarrierTracker::check_thread() const {
    if (owner_ != std::this_thread::get_id()) {
        throw Error(ErrorCode::operation, "a Context was used on a thread that did not make it",
                    "make one Context for each thread");
    }
}

void BarrierTracker::check_performing() const {
    if (rehearsing) {
        throw Error(ErrorCode::operation, "a rehearsal has no results");
    }
}

unsigned BarrierTracker::bit(Use use) {
    switch (use) {
    case Use::image:
        return GL_SHADER_IMAGE_ACCESS_BARRIER_BIT;
    case Use::sampler:
        return GL_TEXTURE_FETCH_BARRIER_BIT;
    case Use::storage:
        return GL_SHADER_STORAGE_BARRIER_BIT;
    case Use::texture_transfer:
        // Some rows of a texture are read through a framebuffer.
        return GL_TEXTURE_UPDATE_BARRIER_BIT | GL_FRAMEBUFFER_BARRIER_BIT;
    case Use::buffer_transfer:
        return GL_BUFFER_UPDATE_BARRIER_BIT;
    }
    return GL_ALL_BARRIER_BITS;
}

} // namespace glproc
