#include "glproc/ops/draw/layers.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace glproc {

namespace {

using modules::Area;
using modules::Cover;

Area common(const Area& a, const Area& b) {
    const int x = std::max(a.x, b.x);
    const int y = std::max(a.y, b.y);
    return {x, y, std::max(std::min(a.x + a.width, b.x + b.width) - x, 0),
            std::max(std::min(a.y + a.height, b.y + b.height) - y, 0)};
}

bool is_empty(const Area& box) {
    return box.width <= 0 || box.height <= 0;
}

/// Colours times alpha, and alpha.
using Mixed = std::array<double, 4>;

void lay_on(Mixed& under, const Colour& colour, double share) {
    const double alpha = colour.alpha * share;
    const std::array<double, 4> top{colour.red * alpha, colour.green * alpha, colour.blue * alpha, alpha};
    for (std::size_t c = 0; c < 4; ++c) {
        under[c] = top[c] + (1 - alpha) * under[c];
    }
}

template <class T>
T code_of(double value) {
    if constexpr (std::is_floating_point_v<T>) {
        return static_cast<T>(value);
    } else {
        return static_cast<T>(std::nearbyint(std::clamp(value, 0.0, 1.0) * std::numeric_limits<T>::max()));
    }
}

template <class T>
void store(const std::vector<Mixed>& mixed, const Area& part, const Area& whole, Image& to) {
    for (int y = 0; y < part.height; ++y) {
        T* out = reinterpret_cast<T*>(to.row(part.y - whole.y + y)) + std::ptrdiff_t{4} * (part.x - whole.x);
        for (int x = 0; x < part.width; ++x, out += 4) {
            const Mixed& from = mixed[static_cast<std::size_t>(y) * static_cast<std::size_t>(part.width) +
                                      static_cast<std::size_t>(x)];
            for (std::size_t c = 0; c < 3; ++c) {
                out[c] = from[3] > 0 ? code_of<T>(from[c] / from[3]) : T{0};
            }
            out[3] = code_of<T>(from[3]);
        }
    }
}

void add(const DrawnLayer& layer, const Area& part, std::vector<Mixed>& mixed) {
    const Area reached = common(layer.reach, part);
    if (is_empty(reached)) {
        return;
    }
    const int stride = (reached.width + 3) / 4 * 4;
    std::vector<std::uint8_t> shares(static_cast<std::size_t>(stride) *
                                     static_cast<std::size_t>(reached.height));
    Cover cover{reached, stride, shares.data()};
    layer.draw(cover);
    for (int y = 0; y < reached.height; ++y) {
        const std::uint8_t* row = shares.data() + static_cast<std::ptrdiff_t>(stride) * y;
        Mixed* to = mixed.data() + static_cast<std::ptrdiff_t>(part.width) * (reached.y - part.y + y) +
                    (reached.x - part.x);
        for (int x = 0; x < reached.width; ++x) {
            if (row[x] != 0) {
                lay_on(to[x], layer.colour, row[x] / 255.0);
            }
        }
    }
}

void make_part(const std::vector<DrawnLayer>& layers, const Area& part, const Area& whole, Image& to) {
    std::vector<Mixed> mixed(static_cast<std::size_t>(part.width) * static_cast<std::size_t>(part.height));
    for (const DrawnLayer& layer : layers) {
        add(layer, part, mixed);
    }
    switch (to.depth()) {
    case Depth::u8:
        return store<std::uint8_t>(mixed, part, whole, to);
    case Depth::u16:
        return store<std::uint16_t>(mixed, part, whole, to);
    case Depth::f32:
        return store<float>(mixed, part, whole, to);
    }
}

} // namespace

Image cover_of(const std::vector<DrawnLayer>& layers, const Area& whole, Depth depth) {
    constexpr int columns = 8192; // Cairo's images have at most 32767
    constexpr int pixels = 1 << 20;
    Image made(whole.width, whole.height, 4, depth);
    for (int x = 0; x < whole.width; x += columns) {
        const int width = std::min(columns, whole.width - x);
        const int rows = pixels / width;
        for (int y = 0; y < whole.height; y += std::min(rows, columns)) {
            make_part(layers, {whole.x + x, whole.y + y, width, std::min({rows, columns, whole.height - y})},
                      whole, made);
        }
    }
    return made;
}

Area reach_of(const std::vector<DrawnLayer>& layers, const Form& form) {
    Area all;
    for (const DrawnLayer& layer : layers) {
        const Area box = common(layer.reach, {0, 0, form.width, form.height});
        if (is_empty(box)) {
            continue;
        }
        if (is_empty(all)) {
            all = box;
            continue;
        }
        const int x = std::min(all.x, box.x);
        const int y = std::min(all.y, box.y);
        all = {x, y, std::max(all.x + all.width, box.x + box.width) - x,
               std::max(all.y + all.height, box.y + box.height) - y};
    }
    return all;
}

} // namespace glproc
