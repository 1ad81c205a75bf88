// An array in GPU memory.
#pragma once

#include "glproc/gl/buffer.hpp"
#include "glproc/gl/gpu_image.hpp"
#include "glproc/image/array.hpp"

#include <cstddef>
#include <variant>
#include <vector>

namespace glproc {

/// Elements of 4 bytes each, as in an Array. They lie in a buffer, or in the texels of an image, in blocks
/// that work groups visit one by one. Blocks are for devices that move large arrays faster that way
/// (limits().array_buffer_bytes).
struct GpuArray {
    ArrayType type = ArrayType::u32;
    std::vector<std::size_t> shape;
    std::variant<Buffer, GpuImage> place; ///< a buffer exactly as long as the elements, or blocks of them

    std::size_t count() const;
    bool in_blocks() const { return std::holds_alternative<GpuImage>(place); }

    /// The elements of an array in a buffer. Throws Error(operation) for one in blocks: see
    /// Context::in_words().
    const Buffer& words() const;
    Buffer& words();

    /// The texels of an array in blocks; glsl/lib/blocks.glsl says which element lies where.
    const GpuImage& blocks() const { return std::get<GpuImage>(place); }
    GpuImage& blocks() { return std::get<GpuImage>(place); }
};

} // namespace glproc
