// Smoothing that follows the edges of a guide.
#pragma once

#include "glproc/kinds/filter.hpp"
#include "glproc/kinds/point.hpp"
#include "glproc/op/level.hpp"
#include "glproc/op/plan.hpp"

namespace glproc {

/// The guided filter (He, Sun, Tang 2010). In each window the image is replaced by a line of the guide's
/// values, and a pixel gets the mean over all windows that it is in. Where the guide varies by less than the
/// root of `eps` the image is smoothed; where it has edges the image keeps them. The time does not depend on
/// the radius, except with a border that wraps.
///
/// Without `with` each colour guides itself. With it, the luma of that image guides all colours. Colours are
/// filtered as if opaque, and alpha is kept. Means are taken over the border. With 8 bits, no guide and a
/// radius of up to 127 they are sums of whole numbers, otherwise boxes in single precision. Values that are
/// not finite count as missing.
struct Guided {
    int radius = 4;   ///< pixels, 1 to 1000
    Level eps = 0.01; ///< squared values, 1 is white
    PictureInput with = {};
    Border border = {}; ///< not a constant
    PointMethod method = PointMethod::automatic;

    GpuImage operator()(Context& gpu, const GpuImage& src) const { return run(*this, gpu, src); }
    /// The same, bit for bit, for a picture of any size. `to` receives all rows; the caller calls finish().
    void operator()(Context& gpu, const RowSource& from, RowWriter& to,
                    const TileProgress& progress = {}) const {
        run(*this, gpu, from, to, progress);
    }
};

Plan plan(const Guided& op, const Form& form);

} // namespace glproc
