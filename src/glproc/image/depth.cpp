#include "glproc/image/image.hpp"

#include <algorithm>
#include <cmath>
#include <type_traits>

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
void convert_values(std::span<const std::byte> values, Depth from, std::span<std::byte> out, Depth to) {
    const double full = max_code(to);
    const double scale = full / max_code(from);
    const std::span<const From> source(reinterpret_cast<const From*>(values.data()),
                                       values.size() / sizeof(From));
    std::transform(source.begin(), source.end(), reinterpret_cast<To*>(out.data()),
                   [&](From value) { return convert_value<To, From>(value, scale, full); });
}

template <class To>
void convert_to(std::span<const std::byte> values, Depth from, std::span<std::byte> out, Depth to) {
    switch (from) {
    case Depth::u8:
        return convert_values<To, std::uint8_t>(values, from, out, to);
    case Depth::u16:
        return convert_values<To, std::uint16_t>(values, from, out, to);
    case Depth::f32:
        return convert_values<To, float>(values, from, out, to);
    }
}

} // namespace

void convert_depth(std::span<const std::byte> values, Depth from, std::span<std::byte> out, Depth to) {
    switch (to) {
    case Depth::u8:
        return convert_to<std::uint8_t>(values, from, out, to);
    case Depth::u16:
        return convert_to<std::uint16_t>(values, from, out, to);
    case Depth::f32:
        return convert_to<float>(values, from, out, to);
    }
}

Form form_in_depth(Form form, Depth depth) {
    if (depth != form.depth) {
        form.light = form.depth == Depth::f32 ? form.light : Light::encoded;
        form.depth = depth;
    }
    return form;
}

Image with_depth(Image image, Depth depth) {
    if (image.depth() == depth)
        return image;
    Image result(form_in_depth(image.form(), depth));
    result.set_metadata(image.metadata());
    convert_depth(image.bytes(), image.depth(), result.bytes(), depth);
    return result;
}

} // namespace glproc
