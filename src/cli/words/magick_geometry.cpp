#include "cli/words/magick_geometry.hpp"

#include "glproc/base/number.hpp"

#include <system_error>

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

} // namespace glproc::cli
