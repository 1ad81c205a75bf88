// Linear light: the tables of glsl/lib/light.glsl, and filters that work in it.
#pragma once

#include "glproc/gl/pass.hpp"
#include "glproc/image/image.hpp"
#include "glproc/kinds/filter.hpp"
#include "glproc/op/field.hpp"
#include "glproc/op/plan.hpp"

namespace glproc {

/// The linear light of each code on the sRGB curve.
Floats light_of_codes(Depth depth);

/// The least linear light of each code except the first: half a step below its own.
Floats first_light(Depth depth);

/// The meaning of the values in pictures of floats; integers are on the curve of sRGB.
enum class FloatValues { automatic, linear, srgb };

template <>
inline constexpr std::array<EnumRow<FloatValues>, 3> enum_rows<FloatValues>{
    EnumRow{FloatValues::automatic, "auto", "as the image says; values that nobody explains are linear light"},
    EnumRow{FloatValues::linear, "linear", "linear light, as in OpenEXR, Radiance HDR and PFM"},
    EnumRow{FloatValues::srgb, "srgb", "sRGB-encoded values, as in floats made from 8- or 16-bit images"},
};

template <>
struct FieldWords<FloatValues> {
    static FieldSpec spec() {
        return {.value = "F",
                .help = "what untagged floats contain",
                .needs = "linear"};
    }
};

/// Whether the values of such a picture are on the curve of sRGB.
bool is_on_curve(const Form& form, FloatValues floats = FloatValues::automatic);

/// `filter`, a plan for pictures of this form, on the linear light of float pictures that are on the curve of
/// sRGB.
Plan in_light(const Form& form, const Plan& filter);

/// The border of such a picture, in linear light.
Border border_in_light(const Border& border);

/// The plan of an operation that has `linear`, `floats` and `border`, for pictures that in_light() takes;
/// nothing for others.
template <class Op>
std::optional<Plan> plan_in_light(Op op, const Form& form) {
    if (!op.linear || form.depth != Depth::f32 || !is_on_curve(form, op.floats)) {
        return std::nullopt;
    }
    op.linear = false;
    if constexpr (requires { op.border; }) {
        op.border = border_in_light(op.border);
    }
    return in_light(form, plan(op, form));
}

} // namespace glproc
