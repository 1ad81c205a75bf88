// Spots of any size: bright discs, by maxima of a filter over places and scales.
#pragma once

#include "glproc/op/level.hpp"

#include <array>
#include <optional>
#include <vector>

namespace glproc {

/// The filter that answers to a spot of its own size.
enum class SpotMethod { log, dog, doh };

template <>
inline constexpr std::array<EnumRow<SpotMethod>, 3> enum_rows<SpotMethod>{
    EnumRow{SpotMethod::log, "log", "Laplacian of Gaussians: ten sizes, the most accurate"},
    EnumRow{SpotMethod::dog, "dog", "differences of Gaussians: each size 1.6 times the one before, faster"},
    EnumRow{SpotMethod::doh, "doh",
            "determinant of the Hessian, by boxes: dark spots as well, not below a radius of 3"},
};

/// A spot, in pixels.
struct Spot {
    double x = 0;
    double y = 0;
    double radius = 0;
    double quality = 0; ///< what the filter answers
    bool operator==(const Spot&) const = default;
};

/// Finds bright spots, by the processor: the points of skimage.feature.blob_log, blob_dog and blob_doh. Of
/// pictures in colour the luma counts. Fully transparent pixels are black.
struct Spots {
    PerAxis<double> radius = 0; ///< the smallest and the largest that are looked for
    SpotMethod method = SpotMethod::log;
    /// The least quality; without it 0.2, 0.5 and 0.01 for the three methods, as scikit-image has it.
    std::optional<Level> threshold = std::nullopt;
    double overlap = 0.5;  ///< of two that share more of the smaller one's area, the larger one counts
    bool subpixel = false; ///< where a quadratic through the nine pixels around it is highest

    /// The best first; equal ones row by row.
    std::vector<Spot> operator()(const Image& image) const;
};

} // namespace glproc
