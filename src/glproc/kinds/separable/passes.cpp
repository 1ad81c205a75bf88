#include "glproc/kinds/separable/passes.hpp"

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

Uint4 border_texel(const Form& form, const BorderCodes& codes, Depth depth) {
    const int bits = static_cast<int>(depth);
    const int channels = stored_channels(form.channels);
    Uint4 texel{};
    for (int lane = 0; lane < 128 / bits; ++lane) {
        const int channel = lane % channels;
        const bool alpha = form.has_alpha() && channel == channels - 1;
        const int shift = lane * bits;
        texel[static_cast<std::size_t>(shift / 32)] |=
            code_bits(codes[alpha ? 3 : static_cast<std::size_t>(channel)], depth) << (shift % 32);
    }
    return texel;
}

BorderCodes border_codes(const Form& form, const SeparableFilter& filter) {
    const auto code = [&](double value) {
        const double full = max_code(form.depth);
        return form.depth == Depth::f32 ? value : std::clamp(std::nearbyint(value * full), 0.0, full);
    };
    const Border& border = filter.border;
    return {code(border.channel(0)), code(border.channel(1)), code(border.channel(2)),
            code(filter.border_alpha)};
}

BorderCodes border_between_passes(const Form& form, const SeparableFilter& filter) {
    BorderCodes codes = border_codes(form, filter);
    if (form.has_alpha() && filter.alpha == AlphaMode::premultiply) {
        std::for_each(codes.begin(), codes.end() - 1, [&](double& code) { code *= codes.back(); });
    }
    return codes;
}

void supply_half_kernels(Pass& pass, const Form& form, const SeparableFilter& filter, int bucket) {
    std::array<Floats, 2> taps = half_kernels(filter, form);
    for (Floats& axis : taps) {
        axis.resize(static_cast<std::size_t>(bucket) + 1);
    }
    pass.set("u_size", Int2{form.width, form.height})
        .set("u_border_texel", border_texel(form, border_codes(form, filter), form.depth))
        .set("u_taps_x", taps[0])
        .set("u_taps_y", taps[1])
        .set("u_scale", scale_of(filter, form));
}

GpuImage& result_of(FilterMemory& memory, Context& gpu, const GpuImage& src) {
    if (!memory.result) {
        memory.result.emplace(gpu.make_image(src.form(), "result"));
    }
    return *memory.result;
}

} // namespace glproc
