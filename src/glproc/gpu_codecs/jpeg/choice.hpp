// Decides whether the GPU decodes and encodes JPEG. Both ways give the same bits.
#pragma once

#include "glproc/gl/context.hpp"

#include <cstdint>

namespace glproc::gpu_codecs {

/// The value of GLPROC_JPEG.
enum class JpegRoad { automatic, cpu, gpu };

/// Throws Error(usage) for another value.
JpegRoad jpeg_road();

/// Whether a picture is alone in its process, or others come before and after it.
enum class Company { alone, many };

/// Whether it is worth using a GPU for a picture of so many pixels.
bool is_large_enough(std::uint64_t pixels, Company company);

/// Whether the GPU should decode or encode it: not if that takes longer, and never on software renderers,
/// unless GLPROC_JPEG says gpu. This does not tell whether it can, and may be trusted.
bool is_worth_it(const Context& gpu, std::uint64_t pixels, Company company);

} // namespace glproc::gpu_codecs
