// The gradient of a picture.
#pragma once

#include "glproc/kinds/stencil.hpp"

namespace glproc {

/// Weights across the direction of a 3x3 gradient; along it they are -1, 0, 1.
enum class GradientOperator { sobel, scharr, prewitt };

template <>
inline constexpr std::array<EnumRow<GradientOperator>, 3> enum_rows<GradientOperator>{
    EnumRow{GradientOperator::sobel, "sobel", "weights 1 2 1 (scipy.ndimage.sobel)"},
    EnumRow{GradientOperator::scharr, "scharr", "weights 3 10 3: more accurate directions (OpenCV Scharr)"},
    EnumRow{GradientOperator::prewitt, "prewitt", "weights 1 1 1 (scipy.ndimage.prewitt)"},
};

enum class GradientOutput { magnitude, x, y, angle };

template <>
inline constexpr std::array<EnumRow<GradientOutput>, 4> enum_rows<GradientOutput>{
    EnumRow{GradientOutput::magnitude, "magnitude", "its length"},
    EnumRow{GradientOutput::x, "x", "the slope to the right: signed, so the result is float"},
    EnumRow{GradientOutput::y, "y", "the slope downwards: signed, so the result is float"},
    EnumRow{GradientOutput::angle, "angle",
            "its direction in radians from -pi to pi, 0 to the right and pi/2 down: float"},
};

/// The gradient of every colour channel by itself; alpha is kept. Equals scipy.ndimage.sobel and prewitt
/// along each axis, and their hypotenuse.
struct Sobel {
    GradientOperator kernel = GradientOperator::sobel;
    GradientOutput output = GradientOutput::magnitude;
    double scale = 1; ///< multiplies the result, except the angle; -1000 to 1000
    Border border = {};
    StencilMethod method = StencilMethod::automatic;

    /// The result, of the same size and channels; 32-bit float if `output` is signed. Throws Error(usage) for
    /// values out of range.
    GpuImage operator()(Context& gpu, const GpuImage& src) const { return run(*this, gpu, src); }
};

Plan plan(const Sobel& op, const Form& form);

} // namespace glproc
