// An image without its border.
#pragma once

#include "glproc/image/colour.hpp"
#include "glproc/kinds/gather/plan.hpp"
#include "glproc/op/level.hpp"

#include <optional>

namespace glproc {

/// The look of the border: a colour, or the first pixel.
struct BorderLook {
    std::optional<Colour> colour = std::nullopt;
};

/// Cuts away rows and columns in which every pixel belongs to the border; what stays is unchanged. A pixel belongs to it
/// if no channel differs by more than `tolerance`, colours weighted by alpha. NaN never does.
struct Trim {
    Level tolerance = 0;
    BorderLook background = {};
    int margin = 0; ///< so many pixels of the border stay, as far as there are any
    GatherMethod method = GatherMethod::automatic;

    GpuImage operator()(Context& gpu, const GpuImage& src) const { return run(*this, gpu, src); }
};

/// The size of the result depends on the pixels: see settled(). There Error(operation) is thrown if all of the image is
/// border. Throws Error(usage) for values out of range.
Plan plan(const Trim& op, const Form& form);

/// "corner", or a colour.
template <>
struct FieldText<BorderLook> {
    static BorderLook parse(const FieldContext& c, std::string_view text);
    static std::string print(const BorderLook& look);
    static BorderLook in_light(const BorderLook& look) { return {FieldText<std::optional<Colour>>::in_light(look.colour)}; }
    static std::string range(const Limit&) { return "corner, a CSS name, #rrggbb, or R,G,B from 0 to 1"; }
};

} // namespace glproc
