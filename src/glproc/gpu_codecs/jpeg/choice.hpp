// Whether the GPU decodes and encodes JPEG. Both ways give the same bits.
#pragma once

#include "glproc/gl/context.hpp"
#include "glproc/image/image.hpp"

namespace glproc::gpu_codecs {

/// What GLPROC_JPEG says.
enum class JpegRoad { automatic, cpu, gpu };

/// Throws Error(usage) for another value.
JpegRoad jpeg_road();

/// Whether pictures of so many pixels are worth it on this device: never on software renderers, unless GLPROC_JPEG=gpu. The
/// first call has the kernels of the decoder and the encoder checked; a driver that computes them wrongly is not trusted.
bool takes_jpegs(Context& gpu, std::uint64_t pixels);

} // namespace glproc::gpu_codecs
