#include "glproc/ops/compare/pair.hpp"

#include "glproc/base/error.hpp"
#include "glproc/image/colour.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include <fmt/format.h>

namespace glproc {

double distance(double a, double b) {
    if (std::isnan(a) || std::isnan(b)) {
        return std::isnan(a) && std::isnan(b) ? 0 : std::numeric_limits<double>::infinity();
    }
    return a == b ? 0 : std::abs(a - b); // infinities of one sign are equal
}

namespace {

bool is_opaque(const Image& image) {
    const double full = max_code(image.depth());
    for (int y = 0; y < image.height(); ++y) {
        for (int x = 0; x < image.width(); ++x) {
            if (image.at(x, y, image.channels() - 1) != full) {
                return false;
            }
        }
    }
    return true;
}

template <class T>
void copy_colours(const Image& image, Image& opaque) {
    const auto from = static_cast<std::size_t>(image.channels());
    const auto to = static_cast<std::size_t>(opaque.channels());
    const std::span<const T> values = image.values<T>();
    const std::span<T> colours = opaque.values<T>();
    for (std::size_t i = 0; i < colours.size(); ++i) {
        colours[i] = values[i / to * from + i % to];
    }
}

Image without_alpha(const Image& image) {
    Image opaque(image.width(), image.height(), opaque_channels(image.channels()), image.depth());
    switch (image.depth()) {
    case Depth::u8:
        copy_colours<std::uint8_t>(image, opaque);
        break;
    case Depth::u16:
        copy_colours<std::uint16_t>(image, opaque);
        break;
    case Depth::f32:
        copy_colours<float>(image, opaque);
        break;
    }
    return opaque;
}

/// A pixel that is fully transparent shows no colour, whatever the file holds: it gets the other image's
/// colour, and 0 where both show none.
template <class T>
void show_alike(Image& a, Image& b) {
    const auto channels = static_cast<std::size_t>(a.channels());
    const std::span<T> v = a.values<T>();
    const std::span<T> w = b.values<T>();
    for (std::size_t i = 0; i < v.size(); i += channels) {
        const std::size_t alpha = i + channels - 1;
        const bool shows_first = v[alpha] != T{0};
        const bool shows_second = w[alpha] != T{0};
        for (std::size_t c = i; c < alpha && !(shows_first && shows_second); ++c) {
            const T shown = shows_first ? v[c] : shows_second ? w[c] : T{0};
            v[c] = shown;
            w[c] = shown;
        }
    }
}

void show_alike(Image& a, Image& b) {
    switch (a.depth()) {
    case Depth::u8:
        return show_alike<std::uint8_t>(a, b);
    case Depth::u16:
        return show_alike<std::uint16_t>(a, b);
    case Depth::f32:
        return show_alike<float>(a, b);
    }
}

/// Without an alpha channel that is opaque everywhere and that the other picture lacks.
Image as_opaque_as(const Image& other, const Image& image) {
    const bool may_lose = image.has_alpha() && !other.has_alpha() && is_opaque(image);
    return may_lose ? without_alpha(image) : image;
}

} // namespace

std::pair<Image, Image> in_one_depth(const Image& first, const Image& second) {
    const Image a = as_opaque_as(second, first);
    const Image b = as_opaque_as(first, second);
    if (a.width() != b.width() || a.height() != b.height()) {
        throw Error(ErrorCode::operation, fmt::format("the images differ in size: {}x{}, and {}x{}", a.width(), a.height(),
                                                      b.width(), b.height()));
    }
    if (a.channels() != b.channels()) {
        throw Error(ErrorCode::operation,
                    fmt::format("the images differ in channels: {}, and {}", a.channels(), b.channels()),
                    "first make them alike by convert: --alpha drop, --gray");
    }
    const Depth depth = std::max(a.depth(), b.depth());
    std::pair<Image, Image> both{with_depth(a, depth), with_depth(b, depth)};
    if (a.has_alpha()) {
        show_alike(both.first, both.second);
    }
    return both;
}

} // namespace glproc
