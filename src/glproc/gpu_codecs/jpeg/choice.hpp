// Whether the GPU decodes and encodes JPEG. Both ways give the same bits.
#pragma once

#include "glproc/gl/context.hpp"

#include <cstdint>

namespace glproc::gpu_codecs {

/// What GLPROC_JPEG says.
enum class JpegRoad { automatic, cpu, gpu };

/// Throws Error(usage) for another value.
JpegRoad jpeg_road();

/// Whether a picture is alone in its process, or others come before and after it.
enum class Company { alone, many };

/// Whether a picture of so many pixels is worth it on a GPU.
bool is_large_enough(std::uint64_t pixels, Company company);

/// Whether the GPU is to decode or encode it: not where that takes longer, and never on software renderers, unless GLPROC_JPEG
/// says gpu. Nothing about whether it can, and may be trusted.
bool is_worth_it(const Context& gpu, std::uint64_t pixels, Company company);

} // namespace glproc::gpu_codecs
