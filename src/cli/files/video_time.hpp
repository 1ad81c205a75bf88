// Times of a video as people write them.
#pragma once

#include "glproc/base/number.hpp"

#include <optional>
#include <string_view>
#include <system_error>

namespace glproc::cli {

/// A number that is not negative, and nothing else.
template <class T>
std::optional<T> number_of(std::string_view text) {
    T value{};
    const auto [end, error] = read_number(text, value);
    const bool whole = !text.empty() && error == std::errc{} && end == text.data() + text.size();
    return whole && value >= 0 && value <= T(1e15) ? std::optional(value) : std::nullopt;
}

/// "12.5s", "2:03", "1:02:03.5"
std::optional<double> seconds_of(std::string_view text);

} // namespace glproc::cli
