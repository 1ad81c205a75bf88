// Facts that the driver of the current context reports about its device; for the gl layer's own files.
#pragma once

#include "glproc/gl/context.hpp"

#include <cstdint>

namespace glproc {

/// Throws Error(no_context) if the driver is older than OpenGL 4.3.
DeviceInfo query_device();

/// The default of Context::memory_bytes().
std::uint64_t default_memory_bytes(const DeviceInfo& device);

} // namespace glproc
