// Profiles of RGB that are no more than a matrix and three curves with formulas, as profiles of cameras and
// screens mostly are: a point operation converts between them.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace glproc {

/// How a value becomes light: slope · v below `end`, otherwise (factor · v + summand) to the power of `exponent`.
struct ProfileCurve {
    double end = 0;
    double slope = 0;
    double factor = 1;
    double summand = 0;
    double exponent = 1;

    double light_of_end() const;
    double value_of(double light) const;
};

struct MatrixProfile {
    std::array<ProfileCurve, 3> curves{};
    std::array<double, 9> to_xyz{}; ///< by rows, to the XYZ of D50
};

/// Nothing where the profile has tables, or is no profile of RGB.
std::optional<MatrixProfile> matrix_profile(std::span<const std::byte> icc);

class MatrixConversion {
  public:
    /// Nothing where the colours of `to` have no inverse.
    static std::optional<MatrixConversion> between(const MatrixProfile& from, const MatrixProfile& to);

    /// Of a value, through errors of light in single precision: curves without a line at black are steep there.
    double largest_error() const;

    /// As glsl/profile.glsl has them.
    std::vector<float> params() const;

  private:
    std::array<ProfileCurve, 3> from_{};
    std::array<double, 9> matrix_{};
    std::array<ProfileCurve, 3> to_{};
};

} // namespace glproc
