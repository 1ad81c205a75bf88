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
    const bool ends_early = value.ends_with('x'); // "3x": a radius alone
    for (const char c : (ends_early ? value.substr(0, value.size() - 1) : value) + ",") {
        if (c == 'x' && number.empty() && geometry.numbers.empty()) { // "x2": no radius
            geometry.numbers.push_back(0);
        } else if (c == '%') {
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

namespace {

int rounded(double length) {
    return std::max(static_cast<int>(std::floor(length + 0.5)), 1);
}

/// The number at the beginning of a text, which loses it; nothing where none stands there.
std::optional<double> take_number(std::string_view& text, bool is_signed) {
    const bool has_sign = !text.empty() && (text[0] == '+' || text[0] == '-');
    const std::size_t first = has_sign ? 1 : 0;
    const std::size_t end = std::min(text.find_first_not_of("0123456789.", first), text.size());
    double number = 0;
    if (has_sign != is_signed || read_number(text.substr(first, end - first), number).ec != std::errc{}) {
        return std::nullopt;
    }
    const bool is_minus = text[0] == '-';
    text.remove_prefix(end);
    return is_minus ? -number : number;
}

} // namespace

std::optional<MagickPlace> place_in(const std::string& value) {
    std::string plain = value;
    MagickPlace place{.is_percent = std::erase(plain, '%') > 0};
    std::string_view text = plain;
    if (const std::optional<double> width = take_number(text, false)) {
        place.has_size = true;
        place.width = place.height = *width;
    }
    if (text.starts_with('x')) {
        text.remove_prefix(1);
        if (const std::optional<double> height = take_number(text, false)) {
            place.has_size = place.has_height = true;
            place.height = *height;
        }
    }
    constexpr double most = 1e6;
    for (int* at : {&place.x, &place.y}) {
        if (const std::optional<double> n = take_number(text, true)) {
            place.has_place = true;
            *at = static_cast<int>(std::clamp(*n, -most, most));
        }
    }
    const bool is_possible = place.width <= most && place.height <= most;
    return text.empty() && is_possible && !plain.empty() ? std::optional(place) : std::nullopt;
}

std::optional<PixelSize> size_in(const MagickPlace& place, const std::optional<PixelSize>& image) {
    if (!place.has_size || (place.is_percent && !image)) {
        return std::nullopt;
    }
    return place.is_percent ? PixelSize{rounded(image->width * place.width / 100),
                                        rounded(image->height * place.height / 100)}
                            : PixelSize{static_cast<int>(place.width), static_cast<int>(place.height)};
}

namespace {

/// "5000@": so many pixels in all.
std::optional<PixelSize> of_area(const PixelSize& image, const std::string& value) {
    const std::optional<Geometry> g = geometry_in(value.substr(0, value.find('@')));
    if (!g || g->numbers.size() != 1 || g->numbers[0] < 1) {
        return std::nullopt;
    }
    const double scale = std::sqrt(g->numbers[0] / (double{1} * image.width * image.height));
    return PixelSize{std::max(static_cast<int>(image.width * scale + 1e-9), 1),
                     std::max(static_cast<int>(image.height * scale + 1e-9), 1)};
}

} // namespace

std::optional<PixelSize> resized(const PixelSize& image, const std::string& value) {
    if (value.find('@') != std::string::npos) {
        return of_area(image, value);
    }
    const std::size_t end = std::min(value.find_first_of("!><^"), value.size());
    const char mark = end < value.size() ? value[end] : ' ';
    const std::optional<MagickPlace> place = place_in(value.substr(0, end));
    const std::optional<PixelSize> box = place ? size_in(*place, image) : std::nullopt;
    if (!box || box->width < 0 || box->height < 0) {
        return std::nullopt;
    }
    if (!place->is_percent && mark == '!') { // the other side stays
        return PixelSize{place->width > 0 ? box->width : image.width,
                         place->has_height ? box->height : image.height};
    }
    if (place->is_percent) {
        return box;
    }
    const double across = place->width > 0 ? place->width / image.width : 0;
    const double down = place->has_height ? place->height / image.height : 0;
    const bool is_smaller = (across == 0 || across >= 1) && (down == 0 || down >= 1);
    if (mark == '>' && is_smaller) {
        return image;
    }
    const double scale = across == 0   ? down
                         : down == 0   ? across
                         : mark == '^' ? std::max(across, down)
                                       : std::min(across, down);
    return PixelSize{rounded(image.width * scale), rounded(image.height * scale)};
}

namespace {

bool is_middle(const std::string& gravity, std::string_view low, std::string_view high) {
    return gravity.find(low) == std::string::npos && gravity.find(high) == std::string::npos;
}

/// Where the smaller of two lengths begins on the larger one: by ImageMagick, and by glproc.
std::pair<int, int> begins(int larger, int smaller, const std::string& gravity, std::string_view low,
                           std::string_view high) {
    if (is_middle(gravity, low, high)) {
        return {larger / 2 - smaller / 2, (larger - smaller) / 2};
    }
    const int at = gravity.find(high) == std::string::npos ? 0 : larger - smaller;
    return {at, at};
}

} // namespace

Corner corner_of(const PixelSize& image, const PixelSize& part, const std::string& gravity,
                 const MagickPlace& place) {
    const bool from_right = gravity.find("east") != std::string::npos;
    const bool from_below = gravity.find("south") != std::string::npos;
    return {begins(image.width, part.width, gravity, "west", "east").first +
                (from_right ? -place.x : place.x),
            begins(image.height, part.height, gravity, "north", "south").first +
                (from_below ? -place.y : place.y)};
}

std::string crop_at(PixelSize& image, Corner corner, const PixelSize& part) {
    const auto along = [](int& at, int side, int whole) {
        const int end = std::min(at + side, whole);
        at = std::max(at, 0);
        return end - at;
    };
    const int width = along(corner.x, part.width, image.width);
    const int height = along(corner.y, part.height, image.height);
    if (width <= 0 || height <= 0) {
        return {};
    }
    image = {width, height};
    return fmt::format("crop {}x{}+{}+{}", width, height, corner.x, corner.y);
}

std::string crop_to(const std::optional<PixelSize>& image, const PixelSize& part,
                    const std::string& gravity) {
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

std::string pad_to(const PixelSize& image, const PixelSize& whole, const std::string& gravity,
                   const std::string& background) {
    const auto [x, own_x] = begins(whole.width, image.width, gravity, "west", "east");
    const auto [y, own_y] = begins(whole.height, image.height, gravity, "north", "south");
    const std::string place =
        x == own_x && y == own_y
            ? fmt::format("--size {}x{} --gravity {}", whole.width, whole.height, gravity)
            : fmt::format("--margin {},{},{},{}", x, y, whole.width - image.width - x,
                          whole.height - image.height - y);
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
