// Numbers in the texts of parameters. No window, no OpenGL.
#pragma once

#include "glproc/base/number.hpp"

#include <array>
#include <cmath>
#include <cstddef>
#include <optional>
#include <string>
#include <system_error>

#include <fmt/format.h>

namespace glproc::view {

/// With so many digits after the point, but without zeros at the end.
inline std::string short_number(double value, int digits) {
    std::string text = fmt::format("{:.{}f}", value, digits);
    if (text.find('.') != std::string::npos) {
        text.erase(text.find_last_not_of('0') + 1);
        text.erase(text.back() == '.' ? text.size() - 1 : text.size());
    }
    return text == "-0" ? "0" : text;
}

/// The number that the text begins with; `otherwise` where it begins with none.
inline double number_at_start(const std::string& text, double otherwise) {
    double value = otherwise;
    read_number(text, value);
    return value;
}

/// Finite numbers with commas in between; nothing where the text is anything else.
template <class T, std::size_t count>
std::optional<std::array<T, count>> numbers_in(const std::string& text) {
    std::array<T, count> numbers{};
    const char* at = text.data();
    const char* const end = at + text.size();
    for (std::size_t i = 0; i < count; ++i) {
        const auto [next, error] = std::from_chars(at, end, numbers[i]);
        const bool is_last = i + 1 == count;
        if (error != std::errc{} || !std::isfinite(static_cast<double>(numbers[i])) ||
            (is_last ? next != end : next == end || *next != ',')) {
            return std::nullopt;
        }
        at = next + 1;
    }
    return numbers;
}

} // namespace glproc::view
