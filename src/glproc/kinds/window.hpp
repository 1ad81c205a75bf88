// Windows: every pixel of the result is a function of whole pixels around it.
#pragma once

#include "glproc/kinds/filter.hpp"
#include "glproc/op/plan.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace glproc {

/// How a window is computed. All give the same bits.
enum class WindowMethod { automatic, blocks, direct, cpu };

template <>
inline constexpr std::array<EnumRow<WindowMethod>, 4> enum_rows<WindowMethod>{
    EnumRow{WindowMethod::automatic, "auto",
            "direct on software renderers and where shared memory is too small for blocks; otherwise blocks"},
    EnumRow{WindowMethod::blocks, "blocks",
            "one pass over blocks of the image, which lie in shared memory with the pixels around them"},
    EnumRow{WindowMethod::direct, "direct", "one pass that reads every pixel from the image: any radius"},
    EnumRow{WindowMethod::cpu, "cpu", "the processor, with the bits of the kernels"},
};

/// A window with its parameters.
struct Window {
    std::string name; ///< for labels and errors
    /// A file of glsl/ or one of register_glsl(), with `vec4 window()`, whose functions
    /// glsl/kinds/window.comp lists.
    std::string glsl;
    PerAxis<int> reach = 0;         ///< pixels to each side
    std::vector<double> table = {}; ///< what table_at(i) reads
    std::vector<float> params = {}; ///< what param(i) reads, up to most_params
    Border border = {};
    AlphaMode alpha = AlphaMode::premultiply;
    bool has_columns = false; ///< whether `glsl` computes several results at once; not of floats
    std::int64_t turns = 1;   ///< of loops, that a pixel takes at most
    WindowMethod method = WindowMethod::automatic;

    static constexpr std::size_t most_params = 8;
};

/// Throws Error(usage) for a border that such pictures cannot have.
Plan window_plan(const Form& form, Window window);

} // namespace glproc
