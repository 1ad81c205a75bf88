#include "view/tools/part.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <system_error>

#include <fmt/format.h>

namespace glproc::view {

namespace {

/// Which end of a side is within reach: -1, 1, or 0 for what is between.
std::optional<int> end_at(double begin, double size, double at, double reach) {
    const double inner = std::min(reach, size / 3); // so that a small part can be moved as well
    if (at < begin - reach || at > begin + size + reach) {
        return std::nullopt;
    }
    return at < begin + inner ? -1 : at > begin + size - inner ? 1 : 0;
}

/// One side: where it begins, and how long it is.
std::array<int, 2> dragged_side(int begin, int size, int end, double by, int most) {
    const int far = begin + size;
    const auto moved = [&](int from) {
        return static_cast<int>(std::clamp(std::round(from + by), -1e9, 1e9));
    };
    if (end == 0) {
        return {std::clamp(moved(begin), 0, std::max(most - size, 0)), size};
    }
    if (end < 0) {
        const int now = std::clamp(moved(begin), 0, far - 1);
        return {now, far - now};
    }
    return {begin, std::clamp(moved(far), begin + 1, std::max(most, begin + 1)) - begin};
}

} // namespace

std::optional<Part> part_in(const std::string& text) {
    std::array<int, 4> numbers{};
    const char* at = text.data();
    const char* const end = at + text.size();
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        const auto [next, error] = std::from_chars(at, end, numbers[i]);
        const bool is_last = i + 1 == numbers.size();
        if (error != std::errc{} || (is_last ? next != end : next == end || *next != ',')) {
            return std::nullopt;
        }
        at = next + 1;
    }
    return Part{numbers[0], numbers[1], numbers[2], numbers[3]};
}

std::string text_of(const Part& part) {
    return fmt::format("{},{},{},{}", part.x, part.y, part.width, part.height);
}

std::optional<Grip> grip_at(const Part& part, Point2 at, double reach) {
    const auto x = end_at(part.x, part.width, at.x, reach);
    const auto y = end_at(part.y, part.height, at.y, reach);
    return x && y ? std::optional(Grip{*x, *y}) : std::nullopt;
}

Part dragged(const Part& part, const Grip& grip, Point2 by, int width, int height) {
    Part result = part;
    if (grip.x != 0 || grip.y == 0) {
        const auto [x, w] = dragged_side(part.x, part.width, grip.x, by.x, width);
        result.x = x;
        result.width = w;
    }
    if (grip.y != 0 || grip.x == 0) {
        const auto [y, h] = dragged_side(part.y, part.height, grip.y, by.y, height);
        result.y = y;
        result.height = h;
    }
    return result;
}

std::optional<double> ratio_in(const std::string& aspect) {
    double width = 0;
    double height = 1;
    const char* const end = aspect.data() + aspect.size();
    const auto [colon, error] = std::from_chars(aspect.data(), end, width);
    const bool has_height = error == std::errc{} && colon != end && (*colon == ':' || *colon == '/');
    if (has_height) {
        std::from_chars(colon + 1, end, height);
    }
    return error == std::errc{} && width > 0 && height > 0 ? std::optional(width / height) : std::nullopt;
}

Part largest_part(double ratio, int width, int height) {
    const int w = std::clamp(static_cast<int>(std::lround(height * ratio)), 1, width);
    const int h = std::clamp(static_cast<int>(std::lround(width / ratio)), 1, height);
    return w < width ? Part{(width - w) / 2, 0, w, height} : Part{0, (height - h) / 2, width, h};
}

Part with_ratio(const Part& part, const Grip& grip, double ratio, int width, int height) {
    if (grip.x == 0 && grip.y == 0) {
        return part;
    }
    struct Side {
        double fixed; ///< what stays: an end, or the middle
        double room;
    };
    const auto side = [](int begin, int size, int end, int most) {
        const double fixed = end < 0 ? begin + size : end > 0 ? begin : begin + size / 2.0;
        return Side{fixed, end < 0 ? fixed : end > 0 ? most - fixed : 2 * std::min(fixed, most - fixed)};
    };
    const Side across = side(part.x, part.width, grip.x, width);
    const Side down = side(part.y, part.height, grip.y, height);
    const double wanted = grip.y == 0   ? part.width
                          : grip.x == 0 ? part.height * ratio
                                        : std::max<double>(part.width, part.height * ratio);
    const double w = std::min({wanted, across.room, down.room * ratio});
    const int columns = std::max(static_cast<int>(std::lround(w)), 1);
    const int rows = std::clamp(static_cast<int>(std::lround(w / ratio)), 1, height);
    const auto begin = [](const Side& one, int end, int size, int most) {
        const double first = end < 0 ? one.fixed - size : end > 0 ? one.fixed : one.fixed - size / 2.0;
        return std::clamp(static_cast<int>(std::floor(first)), 0, std::max(most - size, 0));
    };
    return {begin(across, grip.x, columns, width), begin(down, grip.y, rows, height), columns, rows};
}

Part spanned(Point2 one, Point2 other, int width, int height) {
    const auto side = [](double a, double b, int most) {
        const int begin = std::clamp(static_cast<int>(std::floor(std::min(a, b))), 0, std::max(most - 1, 0));
        const int end = std::clamp(static_cast<int>(std::ceil(std::max(a, b))), begin + 1, std::max(most, 1));
        return std::array{begin, end - begin};
    };
    const auto [x, w] = side(one.x, other.x, width);
    const auto [y, h] = side(one.y, other.y, height);
    return {x, y, w, h};
}

} // namespace glproc::view
