// Outlines of the objects of a mask, and lines at a level, as polygons.
#pragma once

#include "glproc/op/level.hpp"
#include "glproc/ops/components.hpp"
#include "glproc/ops/contours/outlines.hpp"

#include <array>
#include <optional>

namespace glproc {

/// Which corners of four pixels belong together, where a line at a level could go either way.
enum class LevelJoin { low, high };

template <>
inline constexpr std::array<EnumRow<LevelJoin>, 2> enum_rows<LevelJoin>{
    EnumRow{LevelJoin::low, "low", "two low pixels across a corner"},
    EnumRow{LevelJoin::high, "high", "two high ones"},
};

/// Finds the outlines of objects and of the holes in them, through the centres of their outermost pixels: the
/// points of cv2.findContours(), with their order and hierarchy. Or lines at a level, which pass between the
/// centres of pixels, as skimage.measure.find_contours() has them, but x before y.
struct Contours {
    std::optional<MaskThreshold> threshold = std::nullopt; ///< as `components` takes its mask
    Connectivity connectivity = Connectivity::eight;
    bool simplify = false; ///< only the points where an outline turns
    /// Instead of a mask; of pictures in colour their luma counts.
    std::optional<Level> level = std::nullopt;
    LevelJoin fully_connected = LevelJoin::low;

    /// By the processor.
    Outlines operator()(const Image& image) const;
};

} // namespace glproc
