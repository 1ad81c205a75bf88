// Buffers of the codecs.
#pragma once

#include "glproc/base/covering.hpp"
#include "glproc/gl/buffer.hpp"
#include "glproc/gl/context.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <string_view>

namespace glproc::gpu_codecs {

/// Rounds sizes up, so that there are few of them and a buffer of the right size is often free.
inline std::size_t rounded(std::size_t bytes) {
    const std::size_t step = std::bit_ceil(std::max<std::size_t>(bytes, 4096)) / 4;
    return covering(bytes, step) * step;
}

} // namespace glproc::gpu_codecs
