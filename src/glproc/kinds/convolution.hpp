// Weighted sums of the pixels around each pixel, whose weights may be any numbers.
#pragma once

#include "glproc/kinds/filter.hpp"
#include "glproc/op/plan.hpp"

#include <optional>
#include <string>
#include <vector>

namespace glproc {

/// How a convolution is computed.
enum class ConvolutionMethod { automatic, walk, window, direct, separable, cpu };

template <>
inline constexpr std::array<EnumRow<ConvolutionMethod>, 6> enum_rows<ConvolutionMethod>{
    EnumRow{ConvolutionMethod::automatic, "auto",
            "walk if possible; otherwise window on a GPU; otherwise separable for products with over 100 "
            "weights, and direct for the rest"},
    EnumRow{ConvolutionMethod::walk, "walk",
            "one pass with the rows it needs in registers: kernels up to 7x7, colour not weighted by alpha"},
    EnumRow{ConvolutionMethod::window, "window",
            "one pass down strips of the image, rows in shared memory: kernels up to 15x15, and products of "
            "a row and a column up to 33x33"},
    EnumRow{ConvolutionMethod::direct, "direct", "one pass, all weights: any kernel up to 63x63"},
    EnumRow{ConvolutionMethod::separable, "separable",
            "one pass along each axis: kernels that are a product of a row and a column"},
    EnumRow{ConvolutionMethod::cpu, "cpu", "the processor, with the bits of the kernels"},
};

/// The weight at (x, y) is the product of row[x] and column[y].
struct WeightProduct {
    std::vector<double> row;
    std::vector<double> column;
};

/// The sum of weight x pixel over a kernel. Its first weight, at the top left, belongs to the pixel `first`
/// away.
struct Convolution {
    std::string name; ///< for labels and errors
    int width = 0;
    int height = 0;
    PerAxis<int> first = 0;
    std::vector<double> weights = {}; ///< row by row; may be left out if there are products
    /// The kernel as a sum of products, 1 or 2; none if it cannot be written so.
    std::vector<WeightProduct> products = {};
    double scale = 1;
    double offset = 0;     ///< 1 is white
    bool absolute = false; ///< without its sign
    Border border = {};
    /// Colour weighted by alpha is divided by the sum of those weights again, times the sum of the kernel's
    /// weights; if that is 0, premultiply acts like ignore.
    AlphaMode alpha = AlphaMode::ignore;
    bool hides = false; ///< whether colours beneath alpha 0 are not seen where alpha does not weight them
    std::optional<Depth> depth = std::nullopt; ///< of the result: f32, or without it as the source
    ConvolutionMethod method = ConvolutionMethod::automatic;

    static constexpr int most_direct = 63; ///< rows and columns

    double weight(int x, int y) const;
    double sum_of_weights() const;
};

/// The kernel as one product, if it is one up to rounding.
std::vector<WeightProduct> as_product(int width, int height, const std::vector<double>& weights);

/// Throws Error(usage) for a border that such pictures cannot have.
Plan convolution_plan(const Form& form, Convolution convolution);

} // namespace glproc
