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

Defines common_defines(const GpuImage& src, const SeparableFilter& filter) {
    const int alpha = !src.has_alpha() || filter.alpha == AlphaMode::straight ? 0
                      : filter.alpha == AlphaMode::premultiply                ? 1
                                                                              : 2;
    return {{"BORDER", text(static_cast<int>(filter.border.mode))},
            {"CHANNELS", text(src.stored_channels())},
            {"ALPHA", text(alpha)}};
}

Uint4 border_texel(const GpuImage& src, double code, Depth depth) {
    const int bits = static_cast<int>(depth);
    Uint4 texel{};
    for (int lane = 0; lane < 128 / bits; ++lane) {
        const bool alpha = src.has_alpha() && lane % src.stored_channels() == src.stored_channels() - 1;
        const int shift = lane * bits;
        texel[static_cast<std::size_t>(shift / 32)] |= alpha ? 0U : code_bits(code, depth) << (shift % 32);
    }
    return texel;
}

double border_code(const GpuImage& src, const Border& border) {
    const double code = border.value * max_code(src.depth());
    return src.depth() == Depth::f32 ? code : std::clamp(std::nearbyint(code), 0.0, max_code(src.depth()));
}

double border_between_passes(const GpuImage& src, const SeparableFilter& filter) {
    const bool premultiplied = src.has_alpha() && filter.alpha == AlphaMode::premultiply;
    return premultiplied ? 0.0 : border_code(src, filter.border);
}

Floats half_kernel(const std::vector<double>& taps, int radius, int bucket) {
    Floats result(taps.begin(), taps.end());
    if (taps.empty()) {
        result.assign(static_cast<std::size_t>(radius) + 1, 1.0F);
    }
    result.resize(static_cast<std::size_t>(bucket) + 1);
    return result;
}

GpuImage& result_of(FilterMemory& memory, Context& gpu, const GpuImage& src) {
    if (!memory.result) {
        memory.result.emplace(
            gpu.make_image(src.width(), src.height(), src.channels(), src.depth(), "result"));
    }
    return *memory.result;
}

} // namespace glproc
