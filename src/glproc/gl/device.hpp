// Facts that the driver of the current context reports about its device; for the gl layer's own files.
#pragma once

#include "glproc/gl/context.hpp"

#include <cstdint>

namespace glproc {

/// Throws Error(no_context) where the driver is older than OpenGL 4.3.
DeviceInfo query_device();

/// What Context::memory_bytes() is where nothing else was asked for.
std::uint64_t default_memory_bytes(const DeviceInfo& device);

} // namespace glproc
