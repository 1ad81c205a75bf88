#include "glproc/image/colour.hpp"

#include "glproc/image/level.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <system_error>
#include <type_traits>

#include <fmt/format.h>

namespace glproc {

namespace {

struct NamedColour {
    std::string_view name;
    std::uint32_t rgba;
};

/// The names of CSS 2.1, grey in both spellings, and transparent (black, as CSS has it).
constexpr std::array named{
    NamedColour{"aqua", 0x00ffffff},    NamedColour{"black", 0x000000ff},   NamedColour{"blue", 0x0000ffff},
    NamedColour{"cyan", 0x00ffffff},    NamedColour{"fuchsia", 0xff00ffff}, NamedColour{"gray", 0x808080ff},
    NamedColour{"green", 0x008000ff},   NamedColour{"grey", 0x808080ff},    NamedColour{"lime", 0x00ff00ff},
    NamedColour{"magenta", 0xff00ffff}, NamedColour{"maroon", 0x800000ff},  NamedColour{"navy", 0x000080ff},
    NamedColour{"olive", 0x808000ff},   NamedColour{"orange", 0xffa500ff},  NamedColour{"purple", 0x800080ff},
    NamedColour{"red", 0xff0000ff},     NamedColour{"silver", 0xc0c0c0ff},  NamedColour{"teal", 0x008080ff},
    NamedColour{"transparent", 0},      NamedColour{"white", 0xffffffff},   NamedColour{"yellow", 0xffff00ff},
};

Colour of_rgba(std::uint32_t rgba) {
    const auto channel = [rgba](unsigned shift) { return ((rgba >> shift) & 0xffU) / 255.0; };
    return {channel(24), channel(16), channel(8), channel(0)};
}

/// The digits after '#'.
std::optional<Colour> from_hex(std::string_view digits) {
    std::uint32_t number = 0;
    const char* const end = digits.data() + digits.size();
    const auto [stop, error] = std::from_chars(digits.data(), end, number, 16);
    if (error != std::errc{} || stop != end) {
        return std::nullopt;
    }
    const auto doubled = [&](unsigned digit) { return ((number >> (4 * digit)) & 0xfU) * 0x11U; };
    switch (digits.size()) {
    case 3:
        return of_rgba(doubled(2) << 24U | doubled(1) << 16U | doubled(0) << 8U | 0xffU);
    case 4:
        return of_rgba(doubled(3) << 24U | doubled(2) << 16U | doubled(1) << 8U | doubled(0));
    case 6:
        return of_rgba(number << 8U | 0xffU);
    case 8:
        return of_rgba(number);
    default:
        return std::nullopt;
    }
}

/// Not outside 0 to 1.
std::optional<double> share(std::string_view text) {
    const std::optional<Level> level = level_from(text);
    return level && *level >= 0 && *level <= 1 ? std::optional(level->value) : std::nullopt;
}

std::optional<Colour> from_numbers(std::string_view text) {
    std::vector<double> values;
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t end = std::min(text.find(',', begin), text.size());
        const std::optional<double> value = share(text.substr(begin, end - begin));
        if (!value) {
            return std::nullopt;
        }
        values.push_back(*value);
        begin = end + 1;
    }
    switch (values.size()) {
    case 1:
        return Colour{values[0], values[0], values[0], 1};
    case 3:
        return Colour{values[0], values[1], values[2], 1};
    case 4:
        return Colour{values[0], values[1], values[2], values[3]};
    default:
        return std::nullopt;
    }
}

/// Runs work(T{}) with the type of the values.
template <class Work>
void with_type(Depth depth, Work work) {
    switch (depth) {
    case Depth::u8:
        return work(std::uint8_t{});
    case Depth::u16:
        return work(std::uint16_t{});
    case Depth::f32:
        return work(float{});
    }
}

/// Rounded half to even, of integers also clamped.
template <class T>
T rounded(double code, double full) {
    if constexpr (std::is_floating_point_v<T>) {
        return static_cast<T>(code);
    } else {
        return static_cast<T>(std::nearbyint(std::clamp(code, 0.0, full)));
    }
}

template <class T>
std::span<const T> values_of(std::span<const std::byte> bytes) {
    return {reinterpret_cast<const T*>(bytes.data()), bytes.size() / sizeof(T)};
}

} // namespace

std::optional<Colour> colour_from(std::string_view text) {
    if (text.starts_with('#')) {
        return from_hex(text.substr(1));
    }
    std::string lower(text);
    std::transform(lower.begin(), lower.end(), lower.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
    const auto known = std::find_if(named.begin(), named.end(),
                                    [&](const NamedColour& colour) { return colour.name == lower; });
    return known != named.end() ? of_rgba(known->rgba) : from_numbers(text);
}

std::vector<std::string> colour_names() {
    std::vector<std::string> names;
    std::transform(named.begin(), named.end(), std::back_inserter(names),
                   [](const NamedColour& colour) { return std::string(colour.name); });
    return names;
}

std::string hex_of(const Colour& colour) {
    const auto code = [](double value) { return static_cast<int>(std::lround(value * 255)); };
    const std::string rgb =
        fmt::format("#{:02x}{:02x}{:02x}", code(colour.red), code(colour.green), code(colour.blue));
    return colour.alpha == 1 ? rgb : fmt::format("{}{:02x}", rgb, code(colour.alpha));
}

void to_grey(std::span<const std::byte> pixels, const Form& form, std::span<std::byte> out) {
    with_type(form.depth, [&](auto type) {
        using T = decltype(type);
        const std::span<const T> in = values_of<T>(pixels);
        auto* to = reinterpret_cast<T*>(out.data());
        const auto channels = static_cast<std::size_t>(form.channels);
        for (std::size_t i = 0; i < in.size(); i += channels) {
            if (channels < 3) {
                *to++ = in[i];
            } else { // in whole numbers, so that what is grey already stays as it is
                const double sum = 7152.0 * in[i + 1] + 2126.0 * in[i] + 722.0 * in[i + 2];
                *to++ = rounded<T>(sum / 10000, max_code(form.depth));
            }
            if (form.has_alpha()) {
                *to++ = in[i + channels - 1];
            }
        }
    });
}

void to_colour(std::span<const std::byte> pixels, const Form& form, std::span<std::byte> out) {
    const auto value = static_cast<std::size_t>(form.depth) / 8;
    for (auto to = out.begin(); !pixels.empty(); pixels = pixels.subspan(form.pixel_bytes())) {
        for (int i = 0; i < 3; ++i) {
            to = std::ranges::copy(pixels.first(value), to).out;
        }
        to = std::ranges::copy(pixels.first(form.pixel_bytes()).subspan(value), to).out;
    }
}

void flatten(std::span<const std::byte> pixels, const Form& form, const Colour& background,
             std::span<std::byte> out) {
    const std::array<double, 3> behind{background.red, background.green, background.blue};
    const double full = max_code(form.depth);
    with_type(form.depth, [&](auto type) {
        using T = decltype(type);
        const std::span<const T> in = values_of<T>(pixels);
        auto* to = reinterpret_cast<T*>(out.data());
        const auto channels = static_cast<std::size_t>(form.channels);
        for (std::size_t i = 0; i < in.size(); i += channels) {
            const double alpha = in[i + channels - 1];
            for (std::size_t c = 0; c + 1 < channels; ++c) {
                // The background in the picture's own codes, as it would lie in a file of this depth.
                const double below = rounded<T>(behind[c] * full, full);
                *to++ = rounded<T>((in[i + c] * alpha + below * (full - alpha)) / full, full);
            }
        }
    });
}

} // namespace glproc
