// The words that all filters share: borders, alpha, methods.
#pragma once

#include "glproc/op/field.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace glproc {

/// What lies beyond the image. Exact for every radius, also radii larger than the image.
enum class BorderMode { clamp, mirror, symmetric, wrap, constant };

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

/// A border mode, and the constant for BorderMode::constant, rounded to the image's depth: a value for all
/// channels but alpha, which is 0 beyond the image, or a colour with its own alpha. 0 is black and 1 white,
/// whatever the
/// depth; float images take any value.
struct Border {
    BorderMode mode = BorderMode::clamp;
    double value = 0;
    std::optional<Colour> colour = std::nullopt; ///< in place of the value
    constexpr Border() = default;
    constexpr Border(BorderMode m, double v = 0)
        : mode(m), value(v) {} // implicit: Blur{.border = BorderMode::wrap}
    constexpr explicit Border(const Colour& c) : mode(BorderMode::constant), colour(c) {}

    /// Of the constant, for channel 0, 1, 2 of a picture's colours.
    constexpr double channel(int i) const {
        return !colour ? value : i == 0 ? colour->red : i == 1 ? colour->green : colour->blue;
    }
    constexpr double alpha() const { return colour ? colour->alpha : 0; }
};

/// The border of the same picture in linear light, rounded to its depth before.
Border linear_border(const Border& border, Depth depth);

/// Throws Error(usage) for a constant outside 0 to 1 if the image holds integers, and for a colour if it is
/// grey.
void check_border(const Border& border, const Form& form);

template <>
struct FieldText<Border> {
    static Border parse(const FieldContext& c, std::string_view text);
    static std::string print(const Border& border);
    static std::string range(const Limit&) { return "clamp|mirror|symmetric|wrap|constant[:V]"; }
    static std::vector<Choice> choices() { return FieldText<BorderMode>::choices(); }
};

/// What a filter does with an alpha channel.
enum class AlphaMode { premultiply, straight, ignore };

template <>
inline constexpr std::array<EnumRow<AlphaMode>, 3> enum_rows<AlphaMode>{
    EnumRow{AlphaMode::premultiply, "premultiply",
            "colour is weighted by alpha: no dark or coloured halos around transparent areas"},
    EnumRow{AlphaMode::straight, "straight", "alpha is filtered as one more channel"},
    EnumRow{AlphaMode::ignore, "ignore", "colour is filtered as if opaque, and alpha is kept"},
};

/// What a filter of a float image does with NaN and infinities.
enum class NanMode { skip, propagate };

template <>
inline constexpr std::array<EnumRow<NanMode>, 2> enum_rows<NanMode>{
    EnumRow{
        NanMode::skip, "skip",
        "they are left out: each mean is taken over the finite values, and is NaN only where there are none"},
    EnumRow{NanMode::propagate, "propagate",
            "plain arithmetic: they spread over the whole reach of the filter"},
};

/// How a separable filter is computed. All but `fast` for a Gaussian or a wide box of floats give the same bits.
enum class FilterMethod { automatic, cpu, tiled, window, walk, direct, fast };

template <>
inline constexpr std::array<EnumRow<FilterMethod>, 7> enum_rows<FilterMethod>{
    EnumRow{FilterMethod::automatic, "auto", "the fastest measured for this renderer and radius"},
    EnumRow{FilterMethod::cpu, "cpu", "a plain loop on the CPU in double precision: the reference"},
    EnumRow{FilterMethod::tiled, "tiled", "one pass over tiles in shared memory: small radii on a GPU"},
    EnumRow{FilterMethod::window, "window",
            "one pass down strips of the picture, with its rows kept in registers: radii up to 16 on a GPU"},
    EnumRow{FilterMethod::walk, "walk",
            "the same without shared memory: radii up to 12 on software renderers"},
    EnumRow{FilterMethod::direct, "direct", "one pass per axis, without shared memory: any radius"},
    EnumRow{
        FilterMethod::fast, "fast",
        "cost does not grow with the radius: exact running sums for a box of integers; sums of blocks for a "
        "box of floats wider than radius 12, to other last bits; for a Gaussian of sigma 4 or more, filtered "
        "samples, without cutting it off (the others cut it off, and differ by up to 1e-4 of full scale); "
        "else as auto"},
};

/// Radii of all filters, in pixels. Up to the largest, border indices can be computed exactly in float.
inline constexpr Limit radius_limit{0, 65535};

template <>
struct FieldWords<Border> {
    static FieldSpec spec() {
        return {.value = "B",
                .help = "the pixels assumed beyond the edge; constant:V takes 0 to 1, a code such as 128/255, or a colour"};
    }
};

template <>
struct FieldWords<AlphaMode> {
    static FieldSpec spec() { return {.value = "A", .help = "how transparent pixels are weighted"}; }
};

template <>
struct FieldWords<NanMode> {
    static FieldSpec spec() { return {.value = "N", .help = "what to do with NaN and infinities in float images"}; }
};

} // namespace glproc
