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

    /// For x beyond an end, the value there.
    double at(double x) const;
};

/// Takes two points (x, y) or more, x ascending. At the ends it does as SciPy's PchipInterpolator does.
/// Source: F. N. Fritsch, J. Butland, A method for constructing local monotone piecewise cubic interpolants,
/// SIAM J. Sci. Stat. Comput. 5, 1984.
std::vector<CurvePiece> pchip(std::span<const std::array<double, 2>> points);

/// The curve at x, flat beyond its ends.
double value_at(std::span<const CurvePiece> curve, double x);

} // namespace glproc
