// Tells when the GPU has finished its commands.
#pragma once

#include "glproc/gl/buffer.hpp"
#include "glproc/gl/handle.hpp"

#include <string_view>

struct __GLsync;

namespace glproc {

/// Stands behind all commands given so far. Made and queried on the context's thread.
class Fence {
  public:
    Fence() = default;
    /// After wait(), the CPU sees everything that these commands wrote into buffers of this place.
    explicit Fence(BufferPlace place);

    /// Waits until the device has reached the fence; `what` is for the message of Error(gpu).
    void wait(std::string_view what);

  private:
    struct Traits {
        using Type = __GLsync*;
        static void destroy(Type fence);
    };
    Handle<Traits> fence_;
};

} // namespace glproc
