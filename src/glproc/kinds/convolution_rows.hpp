// Convolutions by the processor, with the sums of glsl/kinds/convolution/direct.comp and columns.comp.
#pragma once

#include "glproc/kinds/border.hpp"
#include "glproc/kinds/convolution.hpp"

#include <array>
#include <vector>

namespace glproc {

/// A convolution of a picture, as the kernels are given it.
struct ConvolutionRows {
    const Image& source;
    const Convolution& convolution;
    Depth depth; ///< of the result
    int alpha;   ///< ALPHA of lib/pixel.glsl
    std::array<float, 4> ending; ///< params of kinds/convolution/end.glsl
    /// For a sum of products: the pixel beyond a constant border after the row of each. Without it all
    /// weights are taken at once.
    std::vector<BorderCodes> beyond;
};

Image convolved(const ConvolutionRows& rows);

} // namespace glproc
