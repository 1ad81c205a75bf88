// The answers of the filters of `spots`, size by size.
#pragma once

#include "glproc/ops/spots.hpp"

#include <vector>

namespace glproc {

/// Doubles of a picture, row by row.
struct SpotPlane {
    int width = 0;
    int height = 0;
    std::vector<double> values;

    double at(int x, int y) const {
        return values[static_cast<std::size_t>(y) * static_cast<std::size_t>(width) +
                      static_cast<std::size_t>(x)];
    }
};

/// The answers for one size after another, the smallest first.
class SpotScales {
  public:
    SpotScales(SpotMethod method, const PerAxis<double>& radius, SpotPlane source);

    std::size_t count() const;
    double sigma(std::size_t scale) const { return sigmas_[scale]; }
    /// Scales come in their order.
    SpotPlane answer(std::size_t scale);

  private:
    SpotPlane filtered(double sigma, int order_x, int order_y) const;
    SpotPlane laplacian(double sigma) const;
    SpotPlane difference(std::size_t scale);
    SpotPlane determinant(double sigma) const;

    SpotMethod method_;
    std::vector<double> sigmas_;
    SpotPlane source_;  ///< of doh its integral
    SpotPlane blurred_; ///< of dog, by the sigma of the next scale
};

/// How large the radius of a spot is for a sigma: a disc of it answers most.
double spot_radius_per_sigma(SpotMethod method);

/// The share of the smaller of two discs that lies in the other one.
double shared_area(const Spot& one, const Spot& other);

} // namespace glproc
