// How far two pictures are apart.
#pragma once

#include "glproc/gl/context.hpp"
#include "glproc/op/field.hpp"

#include <optional>

namespace glproc {

/// How two pictures differ, in code units (0 to 255, 0 to 65535, or floats as they are). All channels count the same, alpha
/// included.
struct Difference {
    double mse = 0;  ///< mean square of the differences
    double psnr = 0; ///< decibels, by the largest code (floats: 1); infinite where the pictures are equal
    /// Structural similarity, 1 where they are equal: the mean over all pixels 5 or more from the edge and all channels, as
    /// skimage.metrics.structural_similarity(gaussian_weights=True). Nothing for pictures smaller than 11x11.
    std::optional<double> ssim = std::nullopt;
    double max_diff = 0; ///< the largest difference; infinite where but one of two values is NaN
    int x = 0;           ///< where it is: the first such pixel
    int y = 0;
};

/// Compares two pictures of one size and number of channels; where their depths differ, in the larger one. Throws
/// Error(usage) for others. In double precision, on the CPU.
///
/// Source: Z. Wang, A. Bovik, H. Sheikh, E. Simoncelli, Image quality assessment: from error visibility to structural
/// similarity, IEEE Trans. Image Processing 13(4), 2004.
Difference compare(const Image& a, const Image& b);

/// The differences of two such pictures, without their signs.
Image difference_map(const Image& a, const Image& b);

} // namespace glproc
