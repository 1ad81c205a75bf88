// JPEGs that show whether a decoder is right, and pictures that show whether an encoder is.
#pragma once

#include "glproc/image/image.hpp"

#include <cstddef>
#include <vector>

namespace glproc::gpu_codecs {

/// One of each sampling that cameras and programs use, grey among them, and one with every pair of chroma
/// values. A constant of the colour conversion that is slightly wrong shows in few of those pairs. Throws
/// Error(operation) if libjpeg fails.
std::vector<std::vector<std::byte>> probe_jpegs();

/// Soft shapes with noise on them, and hard edges; 8 bits.
Image probe_picture(int width, int height, int channels);

} // namespace glproc::gpu_codecs
