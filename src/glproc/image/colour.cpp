#include "glproc/image/colour.hpp"

#include "glproc/image/level_text.hpp"

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

/// The 148 names of the CSS Color Module, level 4, and transparent (black, as CSS has it); in order.
constexpr std::array<NamedColour, 149> named{{
    {"aliceblue", 0xf0f8ffff}, {"antiquewhite", 0xfaebd7ff}, {"aqua", 0x00ffffff}, {"aquamarine", 0x7fffd4ff},
    {"azure", 0xf0ffffff}, {"beige", 0xf5f5dcff}, {"bisque", 0xffe4c4ff}, {"black", 0x000000ff},
    {"blanchedalmond", 0xffebcdff}, {"blue", 0x0000ffff}, {"blueviolet", 0x8a2be2ff}, {"brown", 0xa52a2aff},
    {"burlywood", 0xdeb887ff}, {"cadetblue", 0x5f9ea0ff}, {"chartreuse", 0x7fff00ff},
    {"chocolate", 0xd2691eff}, {"coral", 0xff7f50ff}, {"cornflowerblue", 0x6495edff},
    {"cornsilk", 0xfff8dcff}, {"crimson", 0xdc143cff}, {"cyan", 0x00ffffff}, {"darkblue", 0x00008bff},
    {"darkcyan", 0x008b8bff}, {"darkgoldenrod", 0xb8860bff}, {"darkgray", 0xa9a9a9ff},
    {"darkgreen", 0x006400ff}, {"darkgrey", 0xa9a9a9ff}, {"darkkhaki", 0xbdb76bff},
    {"darkmagenta", 0x8b008bff}, {"darkolivegreen", 0x556b2fff}, {"darkorange", 0xff8c00ff},
    {"darkorchid", 0x9932ccff}, {"darkred", 0x8b0000ff}, {"darksalmon", 0xe9967aff},
    {"darkseagreen", 0x8fbc8fff}, {"darkslateblue", 0x483d8bff}, {"darkslategray", 0x2f4f4fff},
    {"darkslategrey", 0x2f4f4fff}, {"darkturquoise", 0x00ced1ff}, {"darkviolet", 0x9400d3ff},
    {"deeppink", 0xff1493ff}, {"deepskyblue", 0x00bfffff}, {"dimgray", 0x696969ff}, {"dimgrey", 0x696969ff},
    {"dodgerblue", 0x1e90ffff}, {"firebrick", 0xb22222ff}, {"floralwhite", 0xfffaf0ff},
    {"forestgreen", 0x228b22ff}, {"fuchsia", 0xff00ffff}, {"gainsboro", 0xdcdcdcff},
    {"ghostwhite", 0xf8f8ffff}, {"gold", 0xffd700ff}, {"goldenrod", 0xdaa520ff}, {"gray", 0x808080ff},
    {"green", 0x008000ff}, {"greenyellow", 0xadff2fff}, {"grey", 0x808080ff}, {"honeydew", 0xf0fff0ff},
    {"hotpink", 0xff69b4ff}, {"indianred", 0xcd5c5cff}, {"indigo", 0x4b0082ff}, {"ivory", 0xfffff0ff},
    {"khaki", 0xf0e68cff}, {"lavender", 0xe6e6faff}, {"lavenderblush", 0xfff0f5ff}, {"lawngreen", 0x7cfc00ff},
    {"lemonchiffon", 0xfffacdff}, {"lightblue", 0xadd8e6ff}, {"lightcoral", 0xf08080ff},
    {"lightcyan", 0xe0ffffff}, {"lightgoldenrodyellow", 0xfafad2ff}, {"lightgray", 0xd3d3d3ff},
    {"lightgreen", 0x90ee90ff}, {"lightgrey", 0xd3d3d3ff}, {"lightpink", 0xffb6c1ff},
    {"lightsalmon", 0xffa07aff}, {"lightseagreen", 0x20b2aaff}, {"lightskyblue", 0x87cefaff},
    {"lightslategray", 0x778899ff}, {"lightslategrey", 0x778899ff}, {"lightsteelblue", 0xb0c4deff},
    {"lightyellow", 0xffffe0ff}, {"lime", 0x00ff00ff}, {"limegreen", 0x32cd32ff}, {"linen", 0xfaf0e6ff},
    {"magenta", 0xff00ffff}, {"maroon", 0x800000ff}, {"mediumaquamarine", 0x66cdaaff},
    {"mediumblue", 0x0000cdff}, {"mediumorchid", 0xba55d3ff}, {"mediumpurple", 0x9370dbff},
    {"mediumseagreen", 0x3cb371ff}, {"mediumslateblue", 0x7b68eeff}, {"mediumspringgreen", 0x00fa9aff},
    {"mediumturquoise", 0x48d1ccff}, {"mediumvioletred", 0xc71585ff}, {"midnightblue", 0x191970ff},
    {"mintcream", 0xf5fffaff}, {"mistyrose", 0xffe4e1ff}, {"moccasin", 0xffe4b5ff},
    {"navajowhite", 0xffdeadff}, {"navy", 0x000080ff}, {"oldlace", 0xfdf5e6ff}, {"olive", 0x808000ff},
    {"olivedrab", 0x6b8e23ff}, {"orange", 0xffa500ff}, {"orangered", 0xff4500ff}, {"orchid", 0xda70d6ff},
    {"palegoldenrod", 0xeee8aaff}, {"palegreen", 0x98fb98ff}, {"paleturquoise", 0xafeeeeff},
    {"palevioletred", 0xdb7093ff}, {"papayawhip", 0xffefd5ff}, {"peachpuff", 0xffdab9ff},
    {"peru", 0xcd853fff}, {"pink", 0xffc0cbff}, {"plum", 0xdda0ddff}, {"powderblue", 0xb0e0e6ff},
    {"purple", 0x800080ff}, {"rebeccapurple", 0x663399ff}, {"red", 0xff0000ff}, {"rosybrown", 0xbc8f8fff},
    {"royalblue", 0x4169e1ff}, {"saddlebrown", 0x8b4513ff}, {"salmon", 0xfa8072ff},
    {"sandybrown", 0xf4a460ff}, {"seagreen", 0x2e8b57ff}, {"seashell", 0xfff5eeff}, {"sienna", 0xa0522dff},
    {"silver", 0xc0c0c0ff}, {"skyblue", 0x87ceebff}, {"slateblue", 0x6a5acdff}, {"slategray", 0x708090ff},
    {"slategrey", 0x708090ff}, {"snow", 0xfffafaff}, {"springgreen", 0x00ff7fff}, {"steelblue", 0x4682b4ff},
    {"tan", 0xd2b48cff}, {"teal", 0x008080ff}, {"thistle", 0xd8bfd8ff}, {"tomato", 0xff6347ff},
    {"transparent", 0x00000000}, {"turquoise", 0x40e0d0ff}, {"violet", 0xee82eeff}, {"wheat", 0xf5deb3ff},
    {"white", 0xffffffff}, {"whitesmoke", 0xf5f5f5ff}, {"yellow", 0xffff00ff}, {"yellowgreen", 0x9acd32ff},
}};

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
        return Colour{values[0], values[0], values[0], 1, true};
    case 3:
        return Colour{values[0], values[1], values[2], 1, true};
    case 4:
        return Colour{values[0], values[1], values[2], values[3], true};
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
    const auto known = std::ranges::lower_bound(named, std::string_view(lower), {}, &NamedColour::name);
    return known != named.end() && known->name == lower ? of_rgba(known->rgba) : from_numbers(text);
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
