// An array in GPU memory.
#pragma once

#include "glproc/gl/buffer.hpp"
#include "glproc/gl/gpu_image.hpp"
#include "glproc/image/array.hpp"

#include <cstddef>
#include <functional>
#include <numeric>
#include <optional>
#include <vector>

namespace glproc {

/// Elements of 4 bytes each, as an Array has them: in a buffer, or where large ones are faster so, in the texels of an
/// image that work groups visit block by block (see gl/blocks.hpp).
struct GpuArray {
    ArrayType type = ArrayType::u32;
    std::vector<std::size_t> shape;
    Buffer words;                         ///< exactly as long as the elements; empty where they lie in blocks
    std::optional<GpuImage> blocks = {};

    std::size_t count() const {
        return std::accumulate(shape.begin(), shape.end(), std::size_t{1}, std::multiplies<>());
    }
};

} // namespace glproc
