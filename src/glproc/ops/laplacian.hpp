// The Laplacian of a picture.
#pragma once

#include "glproc/kinds/convolution.hpp"

namespace glproc {

enum class LaplacianOutput { absolute, with_sign };

template <>
inline constexpr std::array<EnumRow<LaplacianOutput>, 2> enum_rows<LaplacianOutput>{
    EnumRow{LaplacianOutput::absolute, "abs", "absolute values"},
    EnumRow{LaplacianOutput::with_sign, "signed", "signed values, so the result is float"},
};

/// The sum of second derivatives along x and y of every colour channel; alpha is kept. Without a sigma it
/// takes differences of neighbours (scipy.ndimage.laplace). With one, the picture is blurred by a Gaussian
/// that is cut off at 4 sigma (scipy.ndimage.gaussian_laplace).
struct Laplacian {
    double sigma = 0; ///< pixels, 0 to 1000
    LaplacianOutput output = LaplacianOutput::absolute;
    double scale = 1; ///< multiplies the result, -1000 to 1000
    Border border = {};
    ConvolutionMethod method = ConvolutionMethod::automatic;

    /// The result, of the same size and channels; 32-bit float if `output` is signed. Throws Error(usage) for
    /// values out of range.
    GpuImage operator()(Context& gpu, const GpuImage& src) const { return run(*this, gpu, src); }
};

Plan plan(const Laplacian& op, const Form& form);

} // namespace glproc
