// Divides a picture into the regions that drain to its markers; splits objects that touch.
#pragma once

#include "glproc/op/level.hpp"
#include "glproc/op/plan.hpp"
#include "glproc/ops/components.hpp"

#include <array>
#include <optional>

namespace glproc {

/// The content of the result.
enum class WatershedOutput { labels, mask };

template <>
inline constexpr std::array<EnumRow<WatershedOutput>, 2> enum_rows<WatershedOutput>{
    EnumRow{WatershedOutput::labels, "labels", "the number of its region in each pixel, at 16 bits"},
    EnumRow{WatershedOutput::mask, "mask", "regions in white, lines and all else black"},
};

/// Both give the same, and both are the processor's work.
enum class WatershedMethod { automatic, levels, cpu };

template <>
inline constexpr std::array<EnumRow<WatershedMethod>, 3> enum_rows<WatershedMethod>{
    EnumRow{WatershedMethod::automatic, "auto", "same as levels"},
    EnumRow{WatershedMethod::levels, "levels", "the water rises level by level, and spreads step by step"},
    EnumRow{WatershedMethod::cpu, "cpu", "the same without a GPU, which otherwise makes the picture grey"},
};

inline constexpr Limit watershed_prominence_limit{0, 1e30};

/// Water rises from markers, and regions end where the water of two meets. A pixel's cost is the highest
/// value on the way from its marker, then the steps since that value was reached. Each pixel takes the least
/// cost that a neighbour gives it. Of several such neighbours it follows the one with the least cost, and of
/// equal ones the one with the smallest number. So there is exactly one result. Of pictures in colour the
/// luma counts, as `gray` gives it.
///
/// With `split` the picture is a mask, and what is flooded is the depth of each pixel in its object, as
/// Distance gives it; markers are the deepest places. The whole picture is in memory, 12 bytes a pixel.
///
/// Source: R. Lotufo, A. Falcao, The ordered queue and the optimality of the watershed approaches,
/// Mathematical Morphology and its Applications, 2000.
struct Watershed {
    /// Whose values are numbers, 0 for none, of the same size. Without it the minima of the picture are the
    /// markers, numbered by their first pixels, row by row.
    PictureInput markers = {};
    PictureInput mask = {}; ///< where it is 0 there are no regions; of the same size
    /// Minima are markers only if the way to a deeper one climbs so far at least. In levels of the picture, or
    /// for `split` in pixels, where it is 1 unless given.
    std::optional<Level> prominence = std::nullopt;
    Connectivity connectivity = Connectivity::four; ///< of `split` always eight
    bool split = false;
    /// Pixels that touch a region with a larger number, at a side or a corner, belong to none. Always so in
    /// masks.
    bool lines = false;
    std::optional<WatershedOutput> output = std::nullopt; ///< labels, or for `split` a mask
    WatershedMethod method = WatershedMethod::automatic;

    GpuImage operator()(Context& gpu, const GpuImage& src) const { return run(*this, gpu, src); }
    /// The same, bit for bit, for a picture of any size. `to` receives all rows; the caller calls finish().
    void operator()(Context& gpu, const RowSource& from, RowWriter& to,
                    const TileProgress& progress = {}) const {
        run(*this, gpu, from, to, progress);
    }
};

Plan plan(const Watershed& op, const Form& form);

/// The labels as u32.
SweepPlan labels_plan(const Watershed& op, const Form& form);

} // namespace glproc
