// Parameters that all filters share: borders, alpha, methods.
#pragma once

#include "glproc/image/border_mode.hpp"
#include "glproc/op/field.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace glproc {

template <>
inline constexpr std::array<EnumRow<BorderMode>, 5> enum_rows<BorderMode>{
    EnumRow{BorderMode::clamp, "clamp", "aaa|abcd|ddd: the edge pixel is repeated"},
    EnumRow{BorderMode::mirror, "mirror",
            "dcb|abcd|cba: mirrored at the edge pixel, which is not repeated (OpenCV REFLECT_101)"},
    EnumRow{BorderMode::symmetric, "symmetric",
            "dcba|abcd|dcba: mirrored, the edge pixel included (SciPy reflect)"},
    EnumRow{BorderMode::wrap, "wrap", "bcd|abcd|abc: the image repeats"},
    EnumRow{BorderMode::constant, "constant",
            "000|abcd|000: a value (with alpha 0) or a colour, as in constant:0.5 or constant:#ff8800"},
};

/// A border mode, and the constant for BorderMode::constant, rounded to the image's depth. The constant is a
/// value for all channels except alpha, which is 0 beyond the image, or a colour with its own alpha. 0 is
/// black and 1 white, whatever the depth; float images take any value.
struct Border {
    BorderMode mode = BorderMode::clamp;
    double value = 0;
    std::optional<Colour> colour = std::nullopt; ///< instead of the value
    constexpr Border() = default;
    constexpr Border(BorderMode m, double v = 0)
        : mode(m), value(v) {} // implicit: Blur{.border = BorderMode::wrap}
    constexpr explicit Border(const Colour& c) : mode(BorderMode::constant), colour(c) {}

    /// The constant for channel 0, 1 or 2 of a picture's colours.
    constexpr double channel(int i) const {
        return !colour ? value : i == 0 ? colour->red : i == 1 ? colour->green : colour->blue;
    }
    constexpr double alpha() const { return colour ? colour->alpha : 0; }
};

/// The border of the same picture in linear light, rounded first to its depth.
Border linear_border(const Border& border, Depth depth);

/// Throws Error(usage) for a constant outside 0 to 1 if the image holds integers, and for a colour if it is
/// grey.
void check_border(const Border& border, const Form& form);

template <>
struct FieldText<Border> {
    static Border parse(const FieldContext& c, std::string_view text);
    static std::string print(const Border& border);
    static std::string range(const Limit&) { return "clamp|mirror|symmetric|wrap|constant[:V]"; }
    static Border in_light(const Border& border) { return border.colour ? Border(light_of(*border.colour)) : border; }
    static std::vector<Choice> choices() { return FieldText<BorderMode>::choices(); }
};

/// How a filter treats an alpha channel.
enum class AlphaMode { premultiply, straight, ignore };

template <>
inline constexpr std::array<EnumRow<AlphaMode>, 3> enum_rows<AlphaMode>{
    EnumRow{AlphaMode::premultiply, "premultiply",
            "weight colour by alpha: no dark or coloured halos around transparent areas"},
    EnumRow{AlphaMode::straight, "straight", "filter alpha like any other channel"},
    EnumRow{AlphaMode::ignore, "ignore", "filter colour as if opaque, and keep alpha"},
};

/// How a filter of a float image treats NaN and infinities.
enum class NanMode { skip, propagate };

template <>
inline constexpr std::array<EnumRow<NanMode>, 2> enum_rows<NanMode>{
    EnumRow{
        NanMode::skip, "skip",
        "leave them out: each mean covers the finite values, and is NaN only if there are none"},
    EnumRow{NanMode::propagate, "propagate",
            "plain arithmetic: they spread as far as the filter reaches"},
};

/// How a separable filter is computed. All methods give the same bits, except `fast` for a Gaussian or a wide
/// box of floats.
enum class FilterMethod { automatic, cpu, tiled, window, walk, direct, fast };

template <>
inline constexpr std::array<EnumRow<FilterMethod>, 7> enum_rows<FilterMethod>{
    EnumRow{FilterMethod::automatic, "auto", "the fastest measured for this renderer and radius"},
    EnumRow{FilterMethod::cpu, "cpu", "the processor, with the bits of the kernels"},
    EnumRow{FilterMethod::tiled, "tiled", "one pass over tiles in shared memory: small radii on a GPU"},
    EnumRow{FilterMethod::window, "window",
            "one pass down strips of the image, rows kept in registers: radii up to 16 on a GPU"},
    EnumRow{FilterMethod::walk, "walk",
            "the same without shared memory: radii up to 12 on software renderers"},
    EnumRow{FilterMethod::direct, "direct", "one pass per axis, without shared memory: any radius"},
    EnumRow{
        FilterMethod::fast, "fast",
        "takes the same time at any radius. Boxes of integers: exact running sums. Boxes of floats above "
        "radius 12: block sums, whose last bits differ. Gaussians of sigma 4 or more: filtered samples, "
        "never cut off, within 1e-4 of full scale of the other methods. All else: same as auto"},
};

/// Radii of all filters, in pixels. Up to the largest, border indices can be computed exactly in float.
inline constexpr Limit radius_limit{0, 65535};

template <>
struct FieldWords<Border> {
    static FieldSpec spec() {
        return {.value = "B",
                .help = "what to assume beyond the edge; constant:V takes 0 to 1, 128/255 or a colour"};
    }
};

template <>
struct FieldWords<AlphaMode> {
    static FieldSpec spec() { return {.value = "A", .help = "how to weight transparent pixels"}; }
};

template <>
struct FieldWords<NanMode> {
    static FieldSpec spec() { return {.value = "N", .help = "what to do with NaN and infinities in float images"}; }
};

} // namespace glproc
