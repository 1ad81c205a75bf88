// A smooth curve through points that turns only where they do.
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

/// The part of a curve from one point to the next.
struct CurvePiece {
    double begin = 0;
    double length = 0;
    std::array<double, 4> coefficients{}; ///< of the cubic over the share of the length, the constant first

    /// Where `x` lies beyond an end, the value there.
    double at(double x) const;
};

/// Source: F. N. Fritsch, J. Butland, A method for constructing local monotone piecewise cubic interpolants,
/// SIAM J. Sci. Stat. Comput. 5, 1984; at the ends as SciPy's PchipInterpolator does it. Two points or more,
/// x ascending.
std::vector<CurvePiece> pchip(std::span<const CurvePoint> points);

/// The curve at x, flat beyond its ends.
double value_at(std::span<const CurvePiece> curve, double x);

/// Of x and y.
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
