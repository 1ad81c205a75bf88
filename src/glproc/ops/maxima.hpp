// Local maxima: bright points, each the largest of the pixels around it.
#pragma once

#include "glproc/op/level.hpp"
#include "glproc/op/sweep.hpp"

#include <array>
#include <optional>
#include <vector>

namespace glproc {

/// How maxima are found. Both give the same.
enum class MaximaMethod { automatic, gpu, cpu };

template <>
inline constexpr std::array<EnumRow<MaximaMethod>, 3> enum_rows<MaximaMethod>{
    EnumRow{MaximaMethod::automatic, "auto", "same as gpu"},
    EnumRow{MaximaMethod::gpu, "gpu", "compares each pixel with the largest around it"},
    EnumRow{MaximaMethod::cpu, "cpu", "the processor, with the bits of the kernels"},
};

/// A local maximum.
struct Maximum {
    int x = 0;
    int y = 0;
    float value = 0;      ///< in code units
    float prominence = 0; ///< only if it is asked for
    bool operator==(const Maximum&) const = default;
};

/// Finds the pixels that no other pixel of a square window is larger than. Of candidates that touch, the
/// first one counts, row by row; of equal ones nearer than the distance, likewise. Of pictures in colour the
/// luma counts, as `gray` gives it; alpha does not count. NaN is missing, and
/// so are fully transparent pixels.
///
/// Gives the points of skimage.feature.peak_local_max(), which keeps more than one pixel of a plateau.
struct Maxima {
    int distance = 1; ///< the window reaches so far to each side: 1 to 1000
    /// Maxima are larger than this; without it, than the smallest value of the picture.
    std::optional<Level> threshold = std::nullopt;
    /// How far one has to go down at least from a maximum to come to a higher one. Needs the whole picture in
    /// memory, 24 bytes a pixel.
    std::optional<Level> prominence = std::nullopt;
    bool border = false; ///< whether maxima may be nearer than `distance` to the border of the picture
    MaximaMethod method = MaximaMethod::automatic;

    /// The highest first; maxima of one value row by row.
    std::vector<Maximum> operator()(Context& gpu, const GpuImage& image) const;

    /// The same for a picture of any size.
    std::vector<Maximum> operator()(Context& gpu, const RowSource& picture,
                                    const TileProgress& progress = {}) const;
};

/// A report of them.
SweepPlan plan(const Maxima& op, const Form& form);

/// White points on black: one channel of 8 bits.
SweepPlan points_plan(const Maxima& op, const Form& form);

} // namespace glproc
