#include "glproc/gl/rgb_rows.hpp"

#include <cstdint>
#include <cstring>

namespace glproc {

namespace {

/// RGB pixels become RGBA with the code of 1.0; T is the type of a channel value. All pixels but the last
/// move with their neighbour's first value, as four values are one load and one store.
template <class T>
void rgb_to_rgba(const std::byte* from, std::byte* to, int width, T opaque) {
    const auto* last = from + static_cast<std::size_t>(width - 1) * 3 * sizeof(T);
    for (; from != last; from += 3 * sizeof(T), to += 4 * sizeof(T)) {
        std::memcpy(to, from, 4 * sizeof(T));
        std::memcpy(to + 3 * sizeof(T), &opaque, sizeof(T));
    }
    std::memcpy(to, from, 3 * sizeof(T));
    std::memcpy(to + 3 * sizeof(T), &opaque, sizeof(T));
}

template <class T>
void rgba_to_rgb(const std::byte* from, std::byte* to, int width) {
    const auto* last = from + static_cast<std::size_t>(width - 1) * 4 * sizeof(T);
    for (; from != last; from += 4 * sizeof(T), to += 3 * sizeof(T)) {
        std::memcpy(to, from, 4 * sizeof(T)); // the next pixel puts its first value over the last
    }
    std::memcpy(to, from, 3 * sizeof(T));
}

} // namespace

void expand_row(const std::byte* from, std::byte* to, int width, Depth depth) {
    switch (depth) {
    case Depth::u8:
        return rgb_to_rgba<std::uint8_t>(from, to, width, 255);
    case Depth::u16:
        return rgb_to_rgba<std::uint16_t>(from, to, width, 65535);
    case Depth::f32:
        return rgb_to_rgba<float>(from, to, width, 1.0F);
    }
}

void shrink_row(const std::byte* from, std::byte* to, int width, Depth depth) {
    switch (depth) {
    case Depth::u8:
        return rgba_to_rgb<std::uint8_t>(from, to, width);
    case Depth::u16:
        return rgba_to_rgb<std::uint16_t>(from, to, width);
    case Depth::f32:
        return rgba_to_rgb<float>(from, to, width);
    }
}

} // namespace glproc
