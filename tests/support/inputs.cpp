#include "support/inputs.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <sstream>

namespace glproc::test {

namespace {

/// Mixes all bits of a word into all others (the finaliser of MurmurHash3).
std::uint32_t mix(std::uint32_t h) {
    h ^= h >> 16;
    h *= 0x85ebca6bU;
    h ^= h >> 13;
    h *= 0xc2b2ae35U;
    return h ^ (h >> 16);
}

bool is_alpha(const Shape& shape, int channel) {
    return channel == shape.channels - 1 && (shape.channels == 2 || shape.channels == 4);
}

/// An image whose values are value(x, y, channel), 0 to 1.
template <class Value>
Image fill(const Shape& shape, Value value) {
    Image image(shape.width, shape.height, shape.channels, shape.depth);
    for (int y = 0; y < shape.height; ++y) {
        for (int x = 0; x < shape.width; ++x) {
            for (int c = 0; c < shape.channels; ++c) {
                set_value(image, x, y, c, value(x, y, c));
            }
        }
    }
    return image;
}

/// Hashes of the four corners of the lattice cell around a point, blended smoothly.
double value_noise(std::uint32_t seed, double x, double y) {
    const double cell_x = std::floor(x);
    const double cell_y = std::floor(y);
    const auto corner = [&](int dx, int dy) {
        return hash_01(seed, static_cast<std::uint32_t>(static_cast<int>(cell_x) + dx),
                       static_cast<std::uint32_t>(static_cast<int>(cell_y) + dy));
    };
    const auto ease = [](double t) { return t * t * (3 - 2 * t); };
    const double tx = ease(x - cell_x);
    const double ty = ease(y - cell_y);
    return std::lerp(std::lerp(corner(0, 0), corner(1, 0), tx), std::lerp(corner(0, 1), corner(1, 1), tx),
                     ty);
}

template <class T>
void put(std::byte* at, T value) {
    std::memcpy(at, &value, sizeof value);
}

} // namespace

double hash_01(std::uint32_t seed, std::uint32_t a, std::uint32_t b, std::uint32_t c) {
    constexpr std::uint32_t golden = 0x9e3779b9U;
    return mix(mix(mix(mix(seed + golden) ^ (a + golden)) ^ (b + golden)) ^ (c + golden)) / 4294967295.0;
}

std::string name_of(Depth depth) {
    return depth == Depth::u8 ? "u8" : depth == Depth::u16 ? "u16" : "f32";
}

std::string describe(const Shape& shape) {
    std::ostringstream out;
    out << shape.width << 'x' << shape.height << ", " << shape.channels
        << (shape.channels == 1 ? " channel, " : " channels, ") << name_of(shape.depth);
    return out.str();
}

std::string describe(const Image& image) {
    return describe(Shape{image.width(), image.height(), image.channels(), image.depth()});
}

void set_value(Image& image, int x, int y, int channel, double value) {
    std::byte* at = image.row(y) + static_cast<std::size_t>(x) * image.pixel_bytes() +
                    static_cast<std::size_t>(channel) * bytes_of(image.depth());
    const double code = std::clamp(std::round(value * max_code(image.depth())), 0.0, max_code(image.depth()));
    switch (image.depth()) {
    case Depth::u8:
        return put(at, static_cast<std::uint8_t>(code));
    case Depth::u16:
        return put(at, static_cast<std::uint16_t>(code));
    case Depth::f32:
        return put(at, static_cast<float>(value));
    }
}

Image random_image(const Shape& shape, std::uint32_t seed, FloatRange range) {
    return fill(shape, [&](int x, int y, int c) {
        const double value = hash_01(seed, static_cast<std::uint32_t>(x), static_cast<std::uint32_t>(y),
                                     static_cast<std::uint32_t>(c));
        const bool wide = range == FloatRange::wide && shape.depth == Depth::f32 && !is_alpha(shape, c);
        return wide ? 20 * value - 8 : value;
    });
}

Image constant_image(const Shape& shape, double value) {
    return fill(shape, [&](int, int, int) { return value; });
}

Image two_valued_image(const Shape& shape, double low, double high, std::uint32_t seed) {
    return fill(shape, [&](int x, int y, int c) {
        return hash_01(seed, static_cast<std::uint32_t>(x), static_cast<std::uint32_t>(y),
                       static_cast<std::uint32_t>(c)) < 0.5
                   ? low
                   : high;
    });
}

Image gradient_image(const Shape& shape) {
    const double dx = 1.0 / std::max(1, shape.width - 1);
    const double dy = 1.0 / std::max(1, shape.height - 1);
    return fill(shape, [&](int x, int y, int c) {
        const double across = c % 2 == 0 ? 0.5 : 0.25 * (c + 1);
        return across * x * dx + (1 - across) * y * dy;
    });
}

Image impulse_image(const Shape& shape, int at_x, int at_y) {
    return fill(shape, [&](int x, int y, int) { return x == at_x && y == at_y ? 1.0 : 0.0; });
}

Image photo_like_image(const Shape& shape, std::uint32_t seed) {
    return fill(shape, [&](int x, int y, int c) {
        const auto channel_seed = seed + 16 * static_cast<std::uint32_t>(c);
        const double light = value_noise(channel_seed, x / 40.0, y / 40.0);
        const double texture = value_noise(channel_seed + 1, x / 2.5, y / 2.5);
        const double grain =
            hash_01(channel_seed + 2, static_cast<std::uint32_t>(x), static_cast<std::uint32_t>(y));
        const double outline = value_noise(seed + 3, x / 24.0, y / 24.0); // the same in all channels: a thing
        if (is_alpha(shape, c)) {
            return std::clamp(4 * outline - 1.2, 0.0, 1.0);
        }
        const double thing = outline > 0.55 ? 0.4 : 0.0;
        return std::clamp(0.55 * light + thing + 0.15 * (texture - 0.5) + 0.04 * (grain - 0.5), 0.0, 1.0);
    });
}

const std::vector<Size>& awkward_sizes() {
    static const std::vector<Size> sizes{{1, 1},   {1, 7},   {7, 1},   {2, 2},   {3, 5},   {1, 67},
                                         {67, 1},  {15, 16}, {16, 17}, {17, 15}, {31, 33}, {32, 32},
                                         {33, 31}, {61, 13}, {13, 61}, {63, 65}, {64, 64}, {65, 63}};
    return sizes;
}

} // namespace glproc::test
