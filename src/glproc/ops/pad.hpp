// Adds pixels around a picture.
#pragma once

#include "glproc/kinds/gather/plan.hpp"
#include "glproc/op/pixel_length.hpp"

#include <optional>

namespace glproc {

/// Pixels added on each side.
struct Margin {
    PixelLength<int> left = 0;
    PixelLength<int> top = 0;
    PixelLength<int> right = 0;
    PixelLength<int> bottom = 0;
};

/// A larger picture, with the source in it bit for bit: `margin` pixels away from each side, or in a picture
/// of `size` where `gravity` says.
struct Pad {
    std::optional<Margin> margin = std::nullopt;
    std::optional<SizeOrShare> size = std::nullopt;
    Gravity gravity = Gravity::center;
    Border border = BorderMode::constant; ///< the pixels around it: black, or transparent if there is alpha
    std::optional<Colour> background = std::nullopt; ///< instead: pixels of this colour
    GatherMethod method = GatherMethod::automatic;

    GpuImage operator()(Context& gpu, const GpuImage& src) const { return run(*this, gpu, src); }
};

/// Throws Error(usage) unless there is either margin or size, and it makes the picture no smaller.
Placement placement_of(const Pad& op, const Form& form);
Plan plan(const Pad& op, const Form& form);

/// "L,T,R,B", or one length for all. Throws Error(usage).
template <>
struct FieldText<Margin> {
    static Margin parse(const FieldContext& c, std::string_view text);
    static std::string print(const Margin& margin);
    static std::string range(const Limit& limit) { return print_limit(limit); }
};

} // namespace glproc
