// The points of a curve as a parameter.
#pragma once

#include "glproc/op/level.hpp"

#include <array>
#include <span>
#include <vector>

namespace glproc {

struct CurvePoint {
    Level x = 0;
    Level y = 0;
    bool operator==(const CurvePoint&) const = default;
};

/// The curve that changes nothing.
inline constexpr std::array<CurvePoint, 2> straight_curve{{{0, 0}, {1, 1}}};

/// The limit of x and y.
inline constexpr Limit curve_limit{-1e6, 1e6};

/// Throws Error(usage) for fewer than 2 or more than 256 points, and for an x that is not above the one
/// before it.
void check_curve(std::span<const CurvePoint> points);

/// "x,y x,y ...", with commas, semicolons or blanks anywhere between numbers.
template <>
struct FieldText<std::vector<CurvePoint>> {
    static std::vector<CurvePoint> parse(const FieldContext& c, std::string_view text);
    static std::string print(const std::vector<CurvePoint>& points);
    static std::string range(const Limit&) { return "2 to 256 points, x ascending"; }
};

} // namespace glproc
