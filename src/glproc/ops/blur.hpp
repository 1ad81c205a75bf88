// Gaussian blur.
#pragma once

#include "glproc/gl/context.hpp"
#include "glproc/kinds/light.hpp"
#include "glproc/kinds/separable/separable.hpp"
#include "glproc/op/plan.hpp"

#include <optional>
#include <vector>

namespace glproc {

/// Gaussian blur with standard deviation `sigma` pixels along each axis, cut off `truncate` sigmas from the
/// centre (or at `radius` pixels). Equals scipy.ndimage.gaussian_filter with the same border. Sigma 0
/// copies bit for bit.
struct Blur {
    PerAxis<double> sigma = 0.0; ///< pixels, 0 to 1000
    double truncate = 4;         ///< sigmas
    std::optional<PerAxis<int>> radius = std::nullopt;
    Border border = {};
    FilterMethod method = FilterMethod::automatic;
    AlphaMode alpha = AlphaMode::premultiply;
    bool linear = false; ///< filter in linear light: integer images are taken to be sRGB
    FloatValues floats = FloatValues::automatic; ///< with `linear`: the meaning of float values
    NanMode nan = NanMode::skip;

    /// The blurred image, of the same size and format. Throws Error(usage) for values out of range.
    GpuImage operator()(Context& gpu, const GpuImage& src) const { return run(*this, gpu, src); }

    /// The same, bit for bit, for a picture of any size (see tiles.hpp). `to` receives all rows; the caller
    /// calls finish().
    void operator()(Context& gpu, const RowSource& from, RowWriter& to,
                    const TileProgress& progress = {}) const {
        run(*this, gpu, from, to, progress);
    }
};

Plan plan(const Blur& op, const Form& form);

/// The filter that a blur computes.
SeparableFilter gaussian_filter(const Blur& blur);

inline constexpr Limit sigma_limit{0, 1000};

/// Gaussian weights at distance 0 … radius, exp(−i² / 2σ²), which add up to 1 over −radius … radius; computed
/// and normalised in double. Sigma 0 gives 1, 0, 0 …
std::vector<double> gaussian_taps(double sigma, int radius);

} // namespace glproc
