#include "cli/words/magick_geometry.hpp"

#include "glproc/base/number.hpp"

#include <system_error>

#include <fmt/format.h>

namespace glproc::cli {

std::optional<Geometry> geometry_in(const std::string& value) {
    Geometry geometry;
    std::string number;
    for (const char c : value + ",") {
        if (c == '%') {
            geometry.is_percent = true;
        } else if (c == 'x' || c == ',' || c == ' ' || (c == '+' && !number.empty()) ||
                   (c == '-' && !number.empty())) {
            double n = 0;
            const auto [end, error] = read_number(number, n);
            if (error != std::errc{} || end != number.data() + number.size()) {
                return std::nullopt;
            }
            geometry.numbers.push_back(n);
            number = c == '-' ? "-" : "";
        } else {
            number += c;
        }
    }
    return geometry;
}

std::optional<std::string> size_of(const std::string& operation, std::string value) {
    if (value.find_first_of("<@") != std::string::npos || value.empty()) {
        return std::nullopt;
    }
    const char mark =
        value.find_first_of("!>^") == std::string::npos ? ' ' : value[value.find_first_of("!>^")];
    std::erase(value, mark);
    if (value.find_first_not_of("0123456789.x%") != std::string::npos) {
        return std::nullopt;
    }
    const bool is_percent = value.find('%') != std::string::npos;
    std::erase(value, '%');
    const std::size_t cross = value.find('x');
    if (is_percent) {
        const std::string size = cross == std::string::npos ? fmt::format("{}%", value)
                                                            : fmt::format("{}%x{}%", value.substr(0, cross),
                                                                          value.substr(cross + 1));
        return mark == ' ' || mark == '!' ? std::optional(fmt::format("{} {}", operation, size))
                                          : std::nullopt;
    }
    const std::string size = cross == std::string::npos ? value + "x" : value;
    const bool is_box = !size.ends_with('x') && !size.starts_with('x');
    return fmt::format("{} {}{}", operation,
                       mark == '>' || mark == '^' ? fmt::format("'{}{}'", size, mark) : size,
                       is_box && mark == ' ' ? " --fit" : "");
}

} // namespace glproc::cli
