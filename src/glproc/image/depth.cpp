#include "glproc/image/image.hpp"

#include <algorithm>
#include <cmath>

namespace glproc {
namespace {

/// Clamped, and rounded to the nearest code, half to even; what is undefined becomes 0.
template <class To, class From>
To convert_value(From value, double scale, double full) {
    if constexpr (std::is_same_v<To, float>) {
        return static_cast<float>(value * scale);
    } else {
        const double code = value * scale;
        return code > 0 ? static_cast<To>(std::nearbyint(std::min(code, full))) : To{0};
    }
}

template <class To, class From>
void convert_values(const Image& from, Image& to) {
    const double full = max_code(to.depth());
    const double scale = full / max_code(from.depth());
    const std::span<const From> source = from.values<From>();
    std::transform(source.begin(), source.end(), to.values<To>().begin(),
                   [&](From value) { return convert_value<To, From>(value, scale, full); });
}

template <class To>
void convert_to(const Image& from, Image& to) {
    switch (from.depth()) {
    case Depth::u8:
        return convert_values<To, std::uint8_t>(from, to);
    case Depth::u16:
        return convert_values<To, std::uint16_t>(from, to);
    case Depth::f32:
        return convert_values<To, float>(from, to);
    }
}

} // namespace

Image with_depth(Image image, Depth depth) {
    if (image.depth() == depth)
        return image;
    Image result(image.width(), image.height(), image.channels(), depth);
    result.set_metadata(image.metadata());
    switch (depth) {
    case Depth::u8:
        convert_to<std::uint8_t>(image, result);
        break;
    case Depth::u16:
        convert_to<std::uint16_t>(image, result);
        break;
    case Depth::f32:
        convert_to<float>(image, result);
        break;
    }
    return result;
}

} // namespace glproc
