#include "glproc/ops/separable_passes.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace glproc {

namespace {

/// The bits of a channel value given in code units.
std::uint32_t code_bits(double code, Depth depth) {
    if (depth == Depth::f32) {
        return std::bit_cast<std::uint32_t>(static_cast<float>(code));
    }
    return static_cast<std::uint32_t>(std::clamp(std::nearbyint(code), 0.0, max_code(depth)));
}

} // namespace

std::string text(int value) {
    return std::to_string(value);
}

Defines common_defines(const Form& form, const SeparableFilter& filter) {
    const int alpha = !form.has_alpha() || filter.alpha == AlphaMode::straight ? 0
                      : filter.alpha == AlphaMode::premultiply                 ? 1
                                                                               : 2;
    return {{"BORDER", text(static_cast<int>(filter.border.mode))},
            {"CHANNELS", text(stored_channels(form.channels))},
            {"ALPHA", text(alpha)}};
}

Uint4 border_texel(const Form& form, double code, Depth depth, double alpha_code) {
    const int bits = static_cast<int>(depth);
    const int channels = stored_channels(form.channels);
    Uint4 texel{};
    for (int lane = 0; lane < 128 / bits; ++lane) {
        const bool alpha = form.has_alpha() && lane % channels == channels - 1;
        const int shift = lane * bits;
        texel[static_cast<std::size_t>(shift / 32)] |= code_bits(alpha ? alpha_code : code, depth)
                                                       << (shift % 32);
    }
    return texel;
}

double border_code(const Form& form, const Border& border) {
    const double code = border.value * max_code(form.depth);
    return form.depth == Depth::f32 ? code : std::clamp(std::nearbyint(code), 0.0, max_code(form.depth));
}

double border_between_passes(const Form& form, const SeparableFilter& filter) {
    const bool premultiplied = form.has_alpha() && filter.alpha == AlphaMode::premultiply;
    return premultiplied ? 0.0 : border_code(form, filter.border);
}

void supply_half_kernels(Pass& pass, const Form& form, const SeparableFilter& filter, int bucket) {
    std::array<Floats, 2> taps = half_kernels(filter, form.depth);
    for (Floats& axis : taps) {
        axis.resize(static_cast<std::size_t>(bucket) + 1);
    }
    pass.set("u_size", Int2{form.width, form.height})
        .set("u_border_texel",
             border_texel(form, border_code(form, filter.border), form.depth, filter.border_alpha))
        .set("u_taps_x", taps[0])
        .set("u_taps_y", taps[1])
        .set("u_scale", scale_of(filter, form.depth));
}

GpuImage& result_of(FilterMemory& memory, Context& gpu, const GpuImage& src) {
    if (!memory.result) {
        memory.result.emplace(gpu.make_image(src.form(), "result"));
    }
    return *memory.result;
}

} // namespace glproc
