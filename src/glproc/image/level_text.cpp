#include "glproc/image/level_text.hpp"

#include "glproc/base/number.hpp"

#include <cmath>
#include <system_error>

namespace glproc {

namespace {

std::optional<double> finite_number(std::string_view text) {
    double value = 0;
    const auto [end, error] = read_number(text, value);
    const bool whole = error == std::errc{} && end == text.data() + text.size();
    return whole && std::isfinite(value) ? std::optional(value) : std::nullopt;
}

} // namespace

std::optional<Level> level_from(std::string_view text) {
    const bool is_percentage = text.ends_with('%');
    if (is_percentage) {
        text.remove_suffix(1);
    }
    const std::size_t slash = is_percentage ? std::string_view::npos : text.find('/');
    const bool is_code = slash != std::string_view::npos;
    const auto number = finite_number(text.substr(0, slash));
    const auto white = is_percentage ? 100.0 : is_code ? finite_number(text.substr(slash + 1)) : 1.0;
    if (!number || !white || !(*white > 0) || !std::isfinite(*number / *white)) {
        return std::nullopt;
    }
    return Level(*number / *white, is_percentage || is_code);
}

} // namespace glproc
