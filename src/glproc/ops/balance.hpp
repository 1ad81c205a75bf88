// White balance: a colour cast taken away.
#pragma once

#include "glproc/kinds/light.hpp"
#include "glproc/kinds/point.hpp"

#include <string>
#include <string_view>

namespace glproc {

enum class BalanceMethod { gray_world, white_patch, temperature };

template <>
inline constexpr std::array<EnumRow<BalanceMethod>, 3> enum_rows<BalanceMethod>{
    EnumRow{BalanceMethod::gray_world, "gray-world", "the mean of the image becomes grey"},
    EnumRow{BalanceMethod::white_patch, "white-patch",
            "the brightest red, green and blue become equal: where something is white"},
    EnumRow{BalanceMethod::temperature, "temperature:K[,TINT]",
            "the light had this colour temperature, such as 3000 for bulbs; a tint above 0 removes green"},
};

/// A method, and the numbers of temperature:K,TINT.
struct BalanceHow {
    BalanceMethod method = BalanceMethod::gray_world;
    double kelvin = 6504; ///< 1667 to 25000
    double tint = 0;      ///< how far from a black body towards green: thousandths of uv, CIE 1960

    constexpr BalanceHow() = default;
    constexpr BalanceHow(BalanceMethod m, double k = 6504, double t = 0)
        : method(m), kelvin(k), tint(t) {} // implicit
};

template <>
struct FieldText<BalanceHow> {
    static BalanceHow parse(const FieldContext& context, std::string_view text);
    static std::string print(const BalanceHow& how);
    static std::string range(const Limit&);
    static std::vector<Choice> choices();
};

/// Multiplies colours in linear light, so that grey things become grey. Encoded values are taken to be sRGB;
/// floats are light unless told otherwise. Images of floats are measured in 65536 steps from 0 to 1. A grey image has no cast, and stays as it is.
///
/// - gray-world: all three channels get the mean that they have together. Source: G. Buchsbaum, 1980.
/// - white-patch: all three get the largest value that any has. Source: E. Land, J. McCann, 1971.
/// - temperature: the white of a black body becomes the white of D65, by Bradford's matrix. Source: B. Kang et
///   al., Design of Advanced Color Temperature Control System for HDTV Applications, 2002.
struct Balance {
    BalanceHow how = {};
    FloatValues floats = FloatValues::linear; ///< the meaning of float values
    PointMethod method = PointMethod::automatic;

    GpuImage operator()(Context& gpu, const GpuImage& src) const { return run(*this, gpu, src); }
};

Plan plan(const Balance& op, const Form& form);

} // namespace glproc
