// Arrays that lie in the texels of an image, in blocks: see glsl/lib/blocks.glsl for where. On some GPUs large buffers move
// at half the speed of textures that are visited so (tuning row "arrays in blocks").
#pragma once

#include "glproc/gl/gpu_array.hpp"
#include "glproc/image/array.hpp"

#include <cstddef>
#include <string_view>

namespace glproc {

class Context;

/// Whether an array of so many bytes is to lie in blocks on this device.
bool prefers_blocks(const Context& gpu, std::size_t bytes);

/// An array in blocks, with undefined elements. Throws Error(operation) beyond what a texture holds.
GpuArray make_blocks(Context& gpu, const ArrayForm& form, std::string_view label);

/// What Context::upload() and download() do where an array lies in blocks.
GpuArray upload_in_blocks(Context& gpu, const Array& array, std::string_view label);
Array download_blocks(Context& gpu, const GpuArray& array);

/// The same array in a buffer.
GpuArray in_words(Context& gpu, const GpuArray& array);

} // namespace glproc
