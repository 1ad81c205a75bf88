#include "cli/terminal/printable.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace glproc::cli {

namespace {

struct Character {
    std::uint32_t code = 0;
    std::size_t bytes = 0; ///< 0: no UTF-8
};

/// The first character of a text that is not empty: RFC 3629.
Character first_of(std::string_view text) {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const std::size_t size = byte(0) < 0x80   ? 1
                             : byte(0) < 0xC2 ? 0
                             : byte(0) < 0xE0 ? 2
                             : byte(0) < 0xF0 ? 3
                             : byte(0) < 0xF5 ? 4
                                              : 0;
    if (size == 0 || size > text.size()) {
        return {};
    }
    std::uint32_t code = size == 1 ? byte(0) : byte(0) & (0x7FU >> size);
    for (std::size_t i = 1; i < size; ++i) {
        if ((byte(i) & 0xC0U) != 0x80) {
            return {};
        }
        code = code << 6U | (byte(i) & 0x3FU);
    }
    constexpr std::array<std::uint32_t, 5> least{0, 0, 0x80, 0x800, 0x10000};
    const bool surrogate = code >= 0xD800 && code < 0xE000;
    return code < least.at(size) || code > 0x10FFFF || surrogate ? Character{} : Character{code, size};
}

bool is_obeyed(std::uint32_t code) {
    const bool control = (code < 0x20 && code != '\n' && code != '\t') || (code >= 0x7F && code < 0xA0);
    const bool direction = (code >= 0x202A && code <= 0x202E) || (code >= 0x2066 && code <= 0x2069);
    return control || direction || code == 0x2028 || code == 0x2029;
}

/// ASCII that a terminal shows as it is, which most texts are.
bool is_plain(char c) {
    return (c >= 0x20 && c < 0x7F) || c == '\n' || c == '\t';
}

} // namespace

std::string printable(std::string_view text) {
    std::string result;
    result.reserve(text.size());
    while (!text.empty()) {
        const auto plain = std::find_if_not(text.begin(), text.end(), is_plain);
        result.append(text.begin(), plain);
        text.remove_prefix(static_cast<std::size_t>(plain - text.begin()));
        if (text.empty()) {
            break;
        }
        const Character character = first_of(text);
        const std::size_t bytes = std::max<std::size_t>(character.bytes, 1);
        if (character.bytes == 0 || is_obeyed(character.code)) {
            result += '?';
        } else {
            result += text.substr(0, bytes);
        }
        text.remove_prefix(bytes);
    }
    return result;
}

std::string printable_name(std::string_view name) {
    std::string result = printable(name);
    std::replace(result.begin(), result.end(), '\n', '?');
    return result;
}

} // namespace glproc::cli
