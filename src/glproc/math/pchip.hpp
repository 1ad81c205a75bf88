// A smooth curve through points that turns only where they do.
#pragma once

#include <array>
#include <span>
#include <vector>

namespace glproc {

/// The part of a curve from one point to the next.
struct CurvePiece {
    double begin = 0;
    double length = 0;
    std::array<double, 4> coefficients{}; ///< of the cubic over the share of the length, the constant first

    /// Where `x` lies beyond an end, the value there.
    double at(double x) const;
};

/// Source: F. N. Fritsch, J. Butland, A method for constructing local monotone piecewise cubic interpolants,
/// SIAM J. Sci. Stat. Comput. 5, 1984; at the ends as SciPy's PchipInterpolator does it. Two points (x, y) or
/// more, x ascending.
std::vector<CurvePiece> pchip(std::span<const std::array<double, 2>> points);

/// The curve at x, flat beyond its ends.
double value_at(std::span<const CurvePiece> curve, double x);

} // namespace glproc
