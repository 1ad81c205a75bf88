// Convolution with any kernel.
#pragma once

#include "glproc/kinds/convolution.hpp"
#include "glproc/op/level.hpp"

#include <string>
#include <vector>

namespace glproc {

/// Weights in rows, from top to bottom.
struct Kernel {
    int width = 0;
    int height = 0;
    std::vector<double> weights;

    /// Rows of numbers between blanks or commas. Rows end with a line or a semicolon, comments begin with #.
    /// `name` is the name of the file, for errors; it is empty for a text on the command line. Throws
    /// Error(input) for a file, Error(usage) for a text.
    static Kernel from_text(std::string_view text, const std::string& name = {});

    static constexpr int most = 63; ///< rows and columns
};

template <>
struct FieldText<Kernel> {
    /// A text with weights, or the name of a file. Throws the errors of Kernel::from_text(), and
    /// Error(input).
    static Kernel parse(const FieldContext& c, std::string_view text);
    static std::string print(const Kernel&) { return {}; }
    static std::string range(const Limit&) { return "up to 63x63 weights"; }
};

/// Every pixel becomes the sum of weight x pixel over the kernel rotated by 180 degrees, as convolution is
/// defined: scipy.ndimage.convolve. The middle of n weights is number n / 2, counted from 0.
struct Convolve {
    Kernel kernel;
    double scale = 1; ///< multiplies the sums
    Level offset = 0; ///< added to them; 1 is white
    Border border = {};
    AlphaMode alpha = AlphaMode::premultiply;
    ConvolutionMethod method = ConvolutionMethod::automatic;

    /// The filtered image, of the same size and format. Throws Error(usage) for values out of range.
    GpuImage operator()(Context& gpu, const GpuImage& src) const { return run(*this, gpu, src); }
};

Plan plan(const Convolve& op, const Form& form);

} // namespace glproc
