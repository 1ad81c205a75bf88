// Pixels of alpha 0 have no colour: what a file holds there reaches no neighbour.
#pragma once

#include "glproc/gl/context.hpp"
#include "glproc/image/image.hpp"

namespace glproc {

/// The picture with these colours in hidden pixels, in code units: neighbourhoods whose least or largest value
/// is asked for get one that never is.
Image with_hidden(Image image, double code);
GpuImage with_hidden(Context& gpu, const GpuImage& image, double code);

} // namespace glproc
