// Stencils: every channel of the result is a function of the pixels near it.
#pragma once

#include "glproc/kinds/filter.hpp"
#include "glproc/op/plan.hpp"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace glproc {

/// How a stencil is computed.
enum class StencilMethod { automatic, walk, cpu };

template <>
inline constexpr std::array<EnumRow<StencilMethod>, 3> enum_rows<StencilMethod>{
    EnumRow{StencilMethod::automatic, "auto", "same as walk"},
    EnumRow{StencilMethod::walk, "walk", "one pass down strips of the image, the rows it needs kept in "
                                         "registers"},
    EnumRow{StencilMethod::cpu, "cpu", "the processor, with the bits of the kernels"},
};

/// A stencil with its parameters.
struct Stencil {
    std::string name; ///< for labels and errors
    /// A file of glsl/ or one of register_glsl(), with `float stencil(int lane)` over near(lane, dx, dy), in code units.
    std::string glsl;
    int reach = 1;                  ///< pixels to each side, 1 to most_reach
    std::vector<float> params;      ///< what param(i) reads: 1 to 64
    Defines defines = {};           ///< by which the file chooses among its ways, as its header declares
    Border border = {};
    /// Whether alpha is kept as it is; otherwise it is a channel like the others.
    bool keeps_alpha = true;
    /// Whether pixels of alpha 0 show near() the value in the middle instead of their own, which nobody sees.
    bool hides = false;
    std::optional<Depth> depth = std::nullopt; ///< of the result: f32, or without it as the source
    StencilMethod method = StencilMethod::automatic;

    static constexpr int most_reach = 3;
};

/// Throws Error(usage) for a border that such pictures cannot have.
Plan stencil_plan(const Form& form, Stencil stencil);

/// The largest code of the result divided by the largest code of the source: the factor from code units of
/// one to code units of the other.
double code_ratio(const Form& form, const std::optional<Depth>& depth);

} // namespace glproc
