#include "cli/words/magick_geometry.hpp"

#include "glproc/base/number.hpp"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <system_error>
#include <utility>

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

std::optional<PixelSize> box_in(const std::string& value) {
    const std::optional<Geometry> g = geometry_in(value);
    constexpr double most = 1e6;
    const auto is_side = [](double n) { return n >= 1 && n <= most && n == std::floor(n); };
    if (!g || g->is_percent || g->numbers.size() != 2 || !is_side(g->numbers[0]) || !is_side(g->numbers[1])) {
        return std::nullopt;
    }
    return PixelSize{static_cast<int>(g->numbers[0]), static_cast<int>(g->numbers[1])};
}

namespace {

int rounded(double length) {
    return std::max(static_cast<int>(std::floor(length + 0.5)), 1);
}

/// "5000@": so many pixels in all.
std::optional<PixelSize> of_area(const PixelSize& image, const std::string& value) {
    const std::optional<Geometry> g = geometry_in(value.substr(0, value.find('@')));
    if (!g || g->numbers.size() != 1 || g->numbers[0] < 1) {
        return std::nullopt;
    }
    const double scale = std::sqrt(g->numbers[0] / (double{1} * image.width * image.height));
    return PixelSize{std::max(static_cast<int>(image.width * scale + 1e-9), 1), std::max(static_cast<int>(image.height * scale + 1e-9), 1)};
}

} // namespace

std::optional<PixelSize> resized(const PixelSize& image, const std::string& value) {
    if (value.find('@') != std::string::npos) {
        return of_area(image, value);
    }
    const std::string plain = value.substr(0, value.find_first_of("!><^%"));
    const std::size_t cross = value.find('x');
    if (value.find('%') != std::string::npos && cross == std::string::npos) {
        const std::optional<Geometry> g = geometry_in(plain);
        return g ? std::optional(PixelSize{rounded(image.width * g->numbers[0] / 100), rounded(image.height * g->numbers[0] / 100)}) : std::nullopt;
    }
    if (value.ends_with('!')) {
        return box_in(plain);
    }
    return std::nullopt;
}

namespace {

bool is_middle(const std::string& gravity, std::string_view low, std::string_view high) {
    return gravity.find(low) == std::string::npos && gravity.find(high) == std::string::npos;
}

/// Where the smaller of two lengths begins on the larger one: by ImageMagick, and by glproc.
std::pair<int, int> begins(int larger, int smaller, const std::string& gravity, std::string_view low, std::string_view high) {
    if (is_middle(gravity, low, high)) {
        return {larger / 2 - smaller / 2, (larger - smaller) / 2};
    }
    const int at = gravity.find(high) == std::string::npos ? 0 : larger - smaller;
    return {at, at};
}

} // namespace

std::string crop_to(const std::optional<PixelSize>& image, const PixelSize& part, const std::string& gravity) {
    const std::string size = fmt::format("crop {}x{}", part.width, part.height);
    if (image) {
        const auto [x, own_x] = begins(image->width, part.width, gravity, "west", "east");
        const auto [y, own_y] = begins(image->height, part.height, gravity, "north", "south");
        if (x != own_x || y != own_y) {
            return fmt::format("{}+{}+{}", size, x, y);
        }
    }
    return fmt::format("{} --gravity {}", size, gravity);
}

std::string pad_to(const PixelSize& image, const PixelSize& whole, const std::string& gravity, const std::string& background) {
    const auto [x, own_x] = begins(whole.width, image.width, gravity, "west", "east");
    const auto [y, own_y] = begins(whole.height, image.height, gravity, "north", "south");
    const std::string place = x == own_x && y == own_y
                                  ? fmt::format("--size {}x{} --gravity {}", whole.width, whole.height, gravity)
                                  : fmt::format("--margin {},{},{},{}", x, y, whole.width - image.width - x, whole.height - image.height - y);
    return fmt::format("pad {} --background {}", place, background);
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
