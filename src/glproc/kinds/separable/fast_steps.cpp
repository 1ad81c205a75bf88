#include "glproc/kinds/separable/fast_steps.hpp"

#include "glproc/kinds/short_weight.hpp"

#include <algorithm>

namespace glproc {

namespace {

/// The factor for values that are stored at another depth.
double scale(Depth from, Depth to) {
    return to == Depth::f32 || from == Depth::f32 ? 1 : max_code(to) / max_code(from);
}

Floats padded(const FastLevel& level, int width, double scale) {
    Floats taps(static_cast<std::size_t>(width) * most_stride);
    for (int i = 0; i < width; ++i) {
        for (int p = 0; p < level.stride; ++p) {
            taps[static_cast<std::size_t>(most_stride * i + p)] =
                static_cast<float>(level.down[static_cast<std::size_t>(level.stride * i + p)] * scale);
        }
    }
    return taps;
}

} // namespace

int floor_div(int a, int b) {
    return a >= 0 ? a / b : -((b - 1 - a) / b);
}

Defines FastStep::down_defines() const {
    Defines all = up_defines();
    all["BORDER"] = text(static_cast<int>(level == 0 ? blur.filter.border.mode : BorderMode::clamp));
    if (all["ALPHA"] == text(2)) {
        all["ALPHA"] = text(0);
    }
    return all;
}

Defines FastStep::up_defines() const {
    Defines all = common_defines(blur.src.form(), blur.filter);
    all.erase("BORDER");
    if (level > 0) { // samples have been weighted by alpha, and keep none
        all["ALPHA"] = text(0);
    }
    all["WIDTH"] = text(blur.x().width);
    return all;
}

Uint4 FastStep::border(Depth depth) const {
    const BorderCodes beyond = level == 0 ? border_codes(blur.src.form(), blur.filter)
                                          : BorderCodes{0, 0, 0, blur.filter.border_alpha};
    return border_texel(blur.src.form(), beyond, depth);
}

Int2 FastStep::first_seen() const {
    return {1 - blur.x().width - first[0], 1 - blur.y().width - first[1]};
}

Floats down_taps_x(const FastAxis& axis, std::size_t level, Depth from, Depth to) {
    return padded(axis.levels[level], axis.width, scale(from, to));
}

Floats down_taps_y(const FastAxis& axis, std::size_t level, Depth from) {
    Floats taps = padded(axis.levels[level], axis.width, 1);
    if (from == Depth::u8) {
        std::transform(taps.begin(), taps.end(), taps.begin(),
                       [](float tap) { return static_cast<float>(short_weight(tap)); });
    }
    return taps;
}

Floats up_taps_x(const FastAxis& axis, std::size_t level, Depth from, Depth to) {
    Floats taps = axis.levels[level].up;
    for (float& tap : taps) {
        tap = static_cast<float>(tap * scale(from, to));
    }
    return taps;
}

int span_of(const FastLevel& level, int pixels) {
    return level.stride % pixels == 0 ? 0 : level.stride == 1 ? 3 : 1;
}

} // namespace glproc
