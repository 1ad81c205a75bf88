// Several images beside or below each other.
#pragma once

#include "glproc/gl/context.hpp"
#include "glproc/image/colour.hpp"
#include "glproc/op/field.hpp"
#include "glproc/op/pixel_length.hpp"
#include "glproc/op/plan.hpp"

#include <optional>
#include <vector>

namespace glproc {

enum class AppendDirection { right, down };

template <>
inline constexpr std::array<EnumRow<AppendDirection>, 2> enum_rows<AppendDirection>{
    EnumRow{AppendDirection::right, "right", "each image to the right of the one before"},
    EnumRow{AppendDirection::down, "down", "each image below the one before"},
};

/// Where an image lies that is smaller than the largest one, across the direction.
enum class AppendAlign { start, center, end };

template <>
inline constexpr std::array<EnumRow<AppendAlign>, 3> enum_rows<AppendAlign>{
    EnumRow{AppendAlign::start, "start", "at the top, or on the left"},
    EnumRow{AppendAlign::center, "center", "in the middle, half a pixel rounded to the left and up"},
    EnumRow{AppendAlign::end, "end", "at the bottom, or on the right"},
};

/// Copies the images side by side, bit for bit. They may differ in size, channels and depth. The result is in
/// colour if one of them is, has alpha if one has or the background is not opaque, and has the largest depth.
struct Append {
    AppendDirection direction = AppendDirection::right;
    AppendAlign align = AppendAlign::start;
    PixelLength<int> gap = 0;                        ///< pixels between images, or a share of the first one's width
    std::optional<Colour> background = std::nullopt; ///< without it black, or transparent if there is alpha
    std::vector<RowSource> more = {};                ///< the images after the first one

    GpuImage operator()(Context& gpu, const GpuImage& src) const { return run(*this, gpu, src); }
};

/// Works row by row on the processor: nothing is computed. Throws Error(usage) if the result would be too
/// large.
Plan plan(const Append& op, const Form& form);

} // namespace glproc
