// Shared by filters that order values instead of adding them: median and morphology.
#pragma once

#include "glproc/gl/context.hpp"
#include "glproc/kinds/filter.hpp"
#include "glproc/op/plan.hpp"

#include <string>

namespace glproc {

/// How a filter that orders values treats an alpha channel. There is nothing to weight: no two pixels are
/// mixed.
enum class RankAlpha { straight, ignore };

template <>
inline constexpr std::array<EnumRow<RankAlpha>, 2> enum_rows<RankAlpha>{
    EnumRow{RankAlpha::straight, "straight", "filter alpha like any other channel"},
    EnumRow{RankAlpha::ignore, "ignore", "filter colour only, and keep alpha"},
};

template <>
struct FieldWords<RankAlpha> {
    static FieldSpec spec() { return {.value = "A", .help = "what to do with alpha"}; }
};

/// BORDER, CHANNELS, SRC_DEPTH and KEEP, which all their kernels have: padding is kept, too.
Defines rank_defines(const Form& form, const Border& border, RankAlpha alpha);

/// The constant border's texel: u_border_texel of lib/border.glsl.
Uint4 rank_border_texel(const Form& form, const Border& border);

/// A plan with the parts that they share; `work` is the number of comparisons, or the like, for each value.
/// Throws Error(usage) for a border that such pictures cannot have.
Plan rank_plan(std::string what, const Form& form, const Border& border, PerAxis<int> radius, double work);

} // namespace glproc
