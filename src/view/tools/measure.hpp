// Figures of a part of a picture. No window, no OpenGL.
#pragma once

#include "glproc/image/image.hpp"
#include "view/viewport.hpp"

#include <vector>

namespace glproc::view {

/// Of one channel, in code units or floats. Values that are not numbers do not count.
struct ChannelFigures {
    double mean = 0;
    double deviation = 0; ///< of all pixels, not of a sample
    double least = 0;
    double most = 0;
};

std::vector<ChannelFigures> figures_of(const Image& image);

/// The values along a line, one for each pixel of its longer side: rows of channels.
std::vector<std::vector<double>> values_along(const Image& image, Point2 from, Point2 to);

} // namespace glproc::view
