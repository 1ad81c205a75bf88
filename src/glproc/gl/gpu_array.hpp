// An array in GPU memory.
#pragma once

#include "glproc/gl/buffer.hpp"
#include "glproc/image/array.hpp"

#include <cstddef>
#include <vector>

namespace glproc {

/// Elements of 4 bytes each, as an Array has them.
struct GpuArray {
    ArrayType type = ArrayType::u32;
    std::vector<std::size_t> shape;
    Buffer words; ///< exactly as long as the elements

    std::size_t count() const { return words.bytes() / 4; }
};

} // namespace glproc
