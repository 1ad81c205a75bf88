// Lays a second image on the image.
#pragma once

#include "glproc/kinds/gather/plan.hpp"
#include "glproc/kinds/point.hpp"
#include "glproc/op/level.hpp"
#include "glproc/op/pixel_length.hpp"

#include <array>
#include <optional>
#include <string>
#include <string_view>

namespace glproc {

/// Numbered as MODE of blend.glsl.
enum class BlendMode {
    over,
    in,
    out,
    atop,
    exclude,
    plus,
    multiply,
    screen,
    overlay,
    darken,
    lighten,
    color_dodge,
    color_burn,
    hard_light,
    soft_light,
    difference,
    exclusion,
    hue,
    saturation,
    color,
    luminosity,
    subtract,
    divide,
    min,
    max,
    mix,
    sum,
    bit_and,
    bit_or,
    bit_exclusive_or
};

template <>
inline constexpr std::array<EnumRow<BlendMode>, 30> enum_rows<BlendMode>{
    EnumRow{BlendMode::over, "over", "the second image as it is, where it is opaque"},
    EnumRow{BlendMode::in, "in", "only the second image, where the first is opaque"},
    EnumRow{BlendMode::out, "out", "only the second image, where the first is transparent"},
    EnumRow{BlendMode::atop, "atop", "like over, but no more opaque than the first image"},
    EnumRow{BlendMode::exclude, "xor", "each image where the other is transparent"},
    EnumRow{BlendMode::plus, "plus", "both added, weighted by their alpha"},
    EnumRow{BlendMode::multiply, "multiply", "the product: darker"},
    EnumRow{BlendMode::screen, "screen", "the product of the negatives: brighter"},
    EnumRow{BlendMode::overlay, "overlay",
            "multiply where the first image is dark, screen where it is bright"},
    EnumRow{BlendMode::darken, "darken", "the darker value of each channel"},
    EnumRow{BlendMode::lighten, "lighten", "the brighter value of each channel"},
    EnumRow{BlendMode::color_dodge, "color-dodge", "brightens the first image by the second"},
    EnumRow{BlendMode::color_burn, "color-burn", "darkens the first image by the second"},
    EnumRow{BlendMode::hard_light, "hard-light",
            "multiply where the second image is dark, screen where it is bright"},
    EnumRow{BlendMode::soft_light, "soft-light", "a gentler hard-light"},
    EnumRow{BlendMode::difference, "difference", "how far the values are apart"},
    EnumRow{BlendMode::exclusion, "exclusion", "a difference with less contrast"},
    EnumRow{BlendMode::hue, "hue", "the hue of the second image; saturation and luminosity of the first"},
    EnumRow{BlendMode::saturation, "saturation",
            "the saturation of the second image; hue and luminosity of the first"},
    EnumRow{BlendMode::color, "color", "hue and saturation of the second image; luminosity of the first"},
    EnumRow{BlendMode::luminosity, "luminosity",
            "the luminosity of the second image; hue and saturation of the first"},
    EnumRow{BlendMode::subtract, "subtract", "the first image minus the second, without regard to alpha"},
    EnumRow{BlendMode::divide, "divide", "the first image divided by the second; by 0 gives 0"},
    EnumRow{BlendMode::min, "min", "the smaller value"},
    EnumRow{BlendMode::max, "max", "the larger value"},
    EnumRow{BlendMode::mix, "mix", "the mean of both"},
    EnumRow{BlendMode::sum, "sum:A,B,C", "A times the first image, plus B times the second, plus C"},
    EnumRow{BlendMode::bit_and, "and", "the bits that both codes have"},
    EnumRow{BlendMode::bit_or, "or", "the bits that either code has"},
    EnumRow{BlendMode::bit_exclusive_or, "exclusive-or", "the bits that only one of the codes has"},
};

/// A mode, and the numbers of sum:A,B,C.
struct BlendHow {
    BlendMode mode = BlendMode::over;
    std::array<double, 3> weights{1, 1, 0};

    constexpr BlendHow() = default;
    constexpr BlendHow(BlendMode m) : mode(m) {} // implicit: Blend{.mode = BlendMode::multiply}
    constexpr BlendHow(BlendMode m, const std::array<double, 3>& w) : mode(m), weights(w) {}
};

template <>
struct FieldText<BlendHow> {
    static BlendHow parse(const FieldContext& context, std::string_view text);
    static std::string print(const BlendHow& how);
    static std::string range(const Limit&);
    static std::vector<Choice> choices();
};

/// The second image on the image, which stays as it is beyond the second one's edges.
///
/// From over to luminosity these are the modes of W3C's Compositing and Blending Level 1, and opacity and
/// mask multiply the second image's alpha. The others work on values, without regard to alpha, which they
/// keep; opacity and mask then say how far a value goes to its new one. Both read the second image with the
/// depth of the image and in its colours or grey. Results are rounded once, half to even. The opacity counts
/// in steps of 2^-24. in, out and xor give an image alpha that had none.
struct Blend {
    PictureInput with = {};
    BlendHow mode = {};
    double opacity = 1;
    std::optional<PerAxis<int>> at =
        std::nullopt; ///< where the second image's first pixel lies; 0,0 without gravity
    std::optional<Gravity> gravity = std::nullopt; ///< instead: where in the image it lies
    PixelLength<int> margin = 0;                   ///< how far from the edges that `gravity` names
    std::optional<Level> scale = std::nullopt;     ///< its width as a share of the image's
    bool repeat = false;                           ///< in all directions
    PictureInput mask = {};                        ///< as large as the second image: white is opaque
    PointMethod method = PointMethod::automatic;

    GpuImage operator()(Context& gpu, const GpuImage& src) const { return run(*this, gpu, src); }
};

/// Throws Error(usage) for bits of floats, for a mask of another size than the second image, and for values
/// out of range.
Plan plan(const Blend& op, const Form& form);

} // namespace glproc
