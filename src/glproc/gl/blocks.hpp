// The images that hold arrays in blocks, for the gl layer's own files: glsl/lib/blocks.glsl says where an
// element lies.
#pragma once

#include "glproc/gl/gpu_image.hpp"
#include "glproc/gl/limits.hpp"
#include "glproc/gl/pass.hpp"

#include <cstddef>

namespace glproc {

class Context;

/// Whether an array of so many bytes should lie in blocks.
bool goes_in_blocks(std::size_t bytes, const Limits& limits);

/// The form of the image that holds so many bytes.
Form form_of_blocks(std::size_t bytes);

/// Moves the first `bytes` of a buffer to byte `first` of an array in blocks, a multiple of 16.
void fill_blocks(Context& gpu, const Buffer& from, std::size_t bytes, GpuImage& blocks, std::size_t first);

/// Moves bytes of the array, beginning with `first`, a multiple of 16, to a range of a buffer. It moves as
/// many as the range has, and at most 15 more, for which that buffer has room at its end.
void empty_blocks(Context& gpu, const GpuImage& blocks, std::size_t first, Buffer& to, BufferRange range);

} // namespace glproc
