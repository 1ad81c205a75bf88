#include "glproc/ops/compare.hpp"
#include "glproc/ops/compare/pair.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <type_traits>

namespace glproc {

namespace {

template <class T>
T as_value(double value) {
    if constexpr (std::is_same_v<T, float>) {
        return static_cast<float>(value);
    } else {
        return static_cast<T>(std::min(std::nearbyint(value), double(std::numeric_limits<T>::max())));
    }
}

template <class T>
Image amounts(const Image& a, const Image& b, double gain) {
    Image map(a.form());
    const std::span<T> values = map.values<T>();
    for (std::size_t i = 0; i < values.size(); ++i) {
        values[i] = as_value<T>(gain * distance(a.values<T>()[i], b.values<T>()[i]));
    }
    return map;
}

/// A pixel that differs is redder the more it differs, and red enough to be seen at once.
template <class T>
Image marked(const Image& a, const Image& b, double gain) {
    Image map(a.width(), a.height(), 3, a.depth());
    const double full = max_code(a.depth());
    const std::span<T> values = map.values<T>();
    const auto channels = static_cast<std::size_t>(a.channels());
    for (std::size_t i = 0; i < values.size() / 3; ++i) {
        double largest = 0;
        for (std::size_t c = 0; c < channels; ++c) {
            largest =
                std::max(largest, distance(a.values<T>()[i * channels + c], b.values<T>()[i * channels + c]));
        }
        const auto* pixel = a.values<T>().data() + i * channels;
        const double grey =
            channels < 3 ? double(pixel[0]) : (double(pixel[0]) + double(pixel[1]) + double(pixel[2])) / 3;
        const double pale = full * 0.6 + grey * 0.3;
        const double others = std::max(0.0, full * 0.4 - gain * largest);
        values[3 * i] = as_value<T>(largest > 0 ? full : pale);
        values[3 * i + 1] = as_value<T>(largest > 0 ? others : pale);
        values[3 * i + 2] = values[3 * i + 1];
    }
    return map;
}

} // namespace

Image difference_map(const Image& first, const Image& second, DifferenceMap look, double gain) {
    const auto [a, b] = in_one_depth(first, second);
    const auto draw = [&a = a, &b = b, look, gain]<class T>(T) {
        return look == DifferenceMap::red ? marked<T>(a, b, gain) : amounts<T>(a, b, gain);
    };
    return a.depth() == Depth::u8    ? draw(std::uint8_t{})
           : a.depth() == Depth::u16 ? draw(std::uint16_t{})
                                     : draw(float{});
}

} // namespace glproc
