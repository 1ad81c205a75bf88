#include "view/tools/handles.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numbers>
#include <system_error>

#include <fmt/format.h>

namespace glproc::view {

namespace {

/// In tenths, without zeros at the end.
std::string tenths(double value) {
    const double rounded = std::round(value * 10) / 10;
    return rounded == std::round(rounded) ? fmt::format("{:.0f}", rounded + 0.0) : fmt::format("{:.1f}", rounded);
}

/// Half a turn at most.
double folded(double degrees) {
    return degrees - 360 * std::round(degrees / 360);
}

} // namespace

bool names_turn(const FieldInfo& field) {
    return field.unit == "degrees" && field.required;
}

double swept(Point2 middle, Point2 from, Point2 to) {
    const auto angle = [&](Point2 at) { return std::atan2(at.y - middle.y, at.x - middle.x); };
    return folded((angle(to) - angle(from)) * 180 / std::numbers::pi);
}

std::string angle_text(double degrees) {
    const std::string text = tenths(folded(degrees));
    return text == "-0" ? "0" : text;
}

bool names_corners(const FieldInfo& field) {
    return field.value == "X,Y,..." && field.unit == "pixels"; // as the help has it
}

Corners corners_of(int width, int height) {
    const double right = width;
    const double bottom = height;
    return {Point2{0, 0}, {right, 0}, {right, bottom}, {0, bottom}};
}

std::optional<Corners> corners_in(const std::string& text) {
    std::array<double, 8> numbers{};
    const char* at = text.data();
    const char* const end = at + text.size();
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        const auto [next, error] = std::from_chars(at, end, numbers[i]);
        const bool is_last = i + 1 == numbers.size();
        if (error != std::errc{} || !std::isfinite(numbers[i]) ||
            (is_last ? next != end : next == end || *next != ',')) {
            return std::nullopt;
        }
        at = next + 1;
    }
    Corners corners;
    for (std::size_t i = 0; i < corners.size(); ++i) {
        corners[i] = {numbers[2 * i], numbers[2 * i + 1]};
    }
    return corners;
}

std::string text_of(const Corners& corners) {
    std::string text;
    for (const Point2& at : corners) {
        text += fmt::format("{}{},{}", text.empty() ? "" : ",", tenths(at.x), tenths(at.y));
    }
    return text;
}

std::size_t nearest_corner(const Corners& corners, Point2 at) {
    const auto nearest = std::min_element(corners.begin(), corners.end(), [&](const Point2& a, const Point2& b) {
        return std::hypot(a.x - at.x, a.y - at.y) < std::hypot(b.x - at.x, b.y - at.y);
    });
    return static_cast<std::size_t>(nearest - corners.begin());
}

Corners with_moved(Corners corners, std::size_t index, Point2 by, int width, int height) {
    Point2& at = corners[index];
    at = {std::clamp(at.x + by.x, -1.0 * width, 2.0 * width), std::clamp(at.y + by.y, -1.0 * height, 2.0 * height)};
    return corners;
}

} // namespace glproc::view
