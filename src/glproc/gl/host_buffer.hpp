// Buffers that the CPU and the GPU both reach.
#pragma once

#include "glproc/gl/buffer.hpp"
#include "glproc/gl/context.hpp"

#include <cstddef>
#include <string_view>

namespace glproc {

/// In memory of the CPU that stays mapped, if the device has such memory (BufferPlace::mapped), else a buffer
/// that the driver maps now and then. Its content is undefined.
Buffer make_host_buffer(Context& gpu, std::size_t bytes, std::string_view label);

} // namespace glproc
