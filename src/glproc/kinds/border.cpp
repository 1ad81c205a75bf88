#include "glproc/kinds/border.hpp"

#include "glproc/gl/gpu_image.hpp"

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

BorderCodes border_codes(const Form& form, const Border& border, double alpha) {
    const auto code = [&](double value) {
        const double full = max_code(form.depth);
        return form.depth == Depth::f32 ? value : std::clamp(std::nearbyint(value * full), 0.0, full);
    };
    return {code(border.channel(0)), code(border.channel(1)), code(border.channel(2)), code(alpha)};
}

} // namespace glproc
