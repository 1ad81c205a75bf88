#include "glproc/kinds/hidden.hpp"

#include "glproc/kinds/point.hpp"

#include <algorithm>
#include <span>

namespace glproc {

namespace {

template <class T>
void put_hidden(std::span<T> values, std::size_t channels, T value) {
    for (std::size_t i = 0; i < values.size(); i += channels) {
        if (values[i + channels - 1] == T{0}) {
            std::fill_n(&values[i], channels - 1, value);
        }
    }
}

Point hidden_point(double code, const Form& form) {
    const double value = code / max_code(form.depth);
    return {.name = "hidden",
            .glsl = "kinds/hidden.glsl",
            .params = {static_cast<float>(value)},
            .quick = true};
}

} // namespace

Image with_hidden(Image image, double code) {
    const auto channels = static_cast<std::size_t>(image.channels());
    switch (image.depth()) {
    case Depth::u8:
        put_hidden(image.values<std::uint8_t>(), channels, static_cast<std::uint8_t>(code));
        break;
    case Depth::u16:
        put_hidden(image.values<std::uint16_t>(), channels, static_cast<std::uint16_t>(code));
        break;
    case Depth::f32:
        put_hidden(image.values<float>(), channels, static_cast<float>(code));
        break;
    }
    return image;
}

GpuImage with_hidden(Context& gpu, const GpuImage& image, double code) {
    const Form& form = image.form();
    const Rect all{0, 0, form.width, form.height};
    return point_plan(form, hidden_point(code, form)).run(gpu, {image, all}, all);
}

} // namespace glproc
