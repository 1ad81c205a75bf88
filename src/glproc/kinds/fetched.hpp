// How kernels whose neighbours load the same texels read them.
#pragma once

#include <string>

namespace glproc {

struct DeviceInfo;

/// FETCHED of glsl/lib/texel.glsl.
std::string fetched(const DeviceInfo& device);

} // namespace glproc
