// Measures how much two pictures differ.
#pragma once

#include "glproc/gl/context.hpp"
#include "glproc/op/field.hpp"

#include <array>
#include <cstdint>
#include <optional>

namespace glproc {

/// How two pictures differ, in code units (0 to 255, 0 to 65535, or floats as they are). All channels count
/// the same, alpha included.
struct Difference {
    double mse = 0;  ///< mean square of the differences
    double psnr = 0; ///< decibels, by the largest code (floats: 1); infinite if the pictures are equal
    /// Structural similarity, 1 if they are equal: the mean over all pixels 5 or more from the edge and all
    /// channels, as skimage.metrics.structural_similarity(gaussian_weights=True). Nothing for pictures
    /// smaller than 11x11.
    std::optional<double> ssim = std::nullopt;
    double max_diff = 0; ///< the largest difference; infinite if only one of two values is NaN
    int x = 0;           ///< its place: the first such pixel
    int y = 0;
    std::int64_t pixels = 0; ///< how many differ at all
};

/// Compares two pictures of one size and number of channels, in the larger of their depths. An alpha channel
/// that one of them lacks and the other has opaque everywhere does not count. Throws Error(operation) for
/// other pairs. In double precision, on the CPU.
///
/// Source: Z. Wang, A. Bovik, H. Sheikh, E. Simoncelli, Image quality assessment: from error visibility to
/// structural similarity, IEEE Trans. Image Processing 13(4), 2004.
Difference compare(const Image& a, const Image& b);

/// How differences are shown.
enum class DifferenceMap {
    amount, ///< the differences, without their signs
    red,    ///< the first picture in pale grey, and red where the second one differs
};

/// The differences of two such pictures times `gain`, cut off at white unless they are floats.
Image difference_map(const Image& a, const Image& b, DifferenceMap look = DifferenceMap::amount,
                     double gain = 1);

template <>
inline constexpr std::array<EnumRow<DifferenceMap>, 2> enum_rows<DifferenceMap>{
    EnumRow{DifferenceMap::amount, "amount", "absolute differences"},
    EnumRow{DifferenceMap::red, "red",
            "the first image in pale grey, and red where the second one differs"},
};

} // namespace glproc
