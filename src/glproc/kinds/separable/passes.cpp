#include "glproc/kinds/separable/passes.hpp"

#include <algorithm>

namespace glproc {

int alpha_define(const Form& form, AlphaMode alpha) {
    return !form.has_alpha() || alpha == AlphaMode::straight ? 0 : alpha == AlphaMode::premultiply ? 1 : 2;
}

Defines common_defines(const Form& form, const SeparableFilter& filter) {
    return {{"BORDER", text(static_cast<int>(filter.border.mode))},
            {"CHANNELS", text(stored_channels(form.channels))},
            {"ALPHA", text(alpha_define(form, filter.alpha))}};
}

BorderCodes border_codes(const Form& form, const SeparableFilter& filter) {
    return border_codes(form, filter.border, filter.border_alpha);
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

void supply_sharpening(Pass& pass, const GpuImage& image, const SeparableFilter& filter) {
    const Sharpening& sharpening = filter.sharpening.value();
    pass.reads("i_own", image)
        .set("u_amount", static_cast<float>(sharpening.amount))
        .set("u_threshold", static_cast<float>(sharpening.threshold * max_code(image.depth())));
}

} // namespace glproc
