#include "view/part_tool.hpp"

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
