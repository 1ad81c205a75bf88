// Other colour spaces.
#pragma once

#include "glproc/kinds/light.hpp"
#include "glproc/kinds/point.hpp"

namespace glproc {

/// Numbered as FROM and TO of color.glsl.
enum class ColourSpace { srgb, linear, xyz, lab, lch, luv, hsv, hsl, ycbcr };

template <>
inline constexpr std::array<EnumRow<ColourSpace>, 9> enum_rows<ColourSpace>{
    EnumRow{ColourSpace::srgb, "srgb", "red, green and blue as files have them"},
    EnumRow{ColourSpace::linear, "linear", "red, green and blue in linear light"},
    EnumRow{ColourSpace::xyz, "xyz", "CIE XYZ, with the white of D65"},
    EnumRow{ColourSpace::lab, "lab", "CIE L*a*b*: distances are differences that people see"},
    EnumRow{ColourSpace::lch, "lch", "the same as lightness, chroma and hue"},
    EnumRow{ColourSpace::luv, "luv", "CIE L*u*v*"},
    EnumRow{ColourSpace::hsv, "hsv", "hue, saturation and value"},
    EnumRow{ColourSpace::hsl, "hsl", "hue, saturation and lightness"},
    EnumRow{ColourSpace::ycbcr, "ycbcr",
            "luma and two differences of colour, as in JPEG: Rec. 601, full range"},
};

/// Converts colours; alpha is kept, and a grey image becomes one in colour.
///
/// Floats that are light are encoded for spaces on the curve of sRGB, and taken as they are for the others; `srgb` then names
/// light, too.
///
/// Images of floats hold the values as they are: L from 0 to 100, hues from 0 to 360 degrees, Cb and Cr
/// around 0.5. Integers hold them as OpenCV does with 8 bits: L x 255 / 100, a + 128, b + 128, half the hue,
/// 0 to 179. With 16 bits hues take the whole range, and all else is 257 times as large. Values beyond the
/// codes are clipped.
struct Color {
    ColourSpace to = ColourSpace::lab;
    ColourSpace from = ColourSpace::srgb;
    FloatValues floats = FloatValues::srgb; ///< what `srgb` means for images of floats
    PointMethod method = PointMethod::automatic;

    GpuImage operator()(Context& gpu, const GpuImage& src) const { return run(*this, gpu, src); }
};

Plan plan(const Color& op, const Form& form);

} // namespace glproc
