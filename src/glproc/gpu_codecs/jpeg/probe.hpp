// JPEGs that show whether a decoder is right.
#pragma once

#include <cstddef>
#include <vector>

namespace glproc::gpu_codecs {

/// One of each sampling that cameras and programs use, grey among them, and one with every pair of colour differences: a
/// constant of the colour conversion that is a little wrong shows in few of them. Throws Error(operation) where libjpeg fails.
std::vector<std::vector<std::byte>> probe_jpegs();

} // namespace glproc::gpu_codecs
