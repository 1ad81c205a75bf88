// Less noise, by the mean of similar places.
#pragma once

#include "glproc/kinds/point.hpp"
#include "glproc/op/level.hpp"
#include "glproc/op/plan.hpp"

namespace glproc {

/// Non-local means (Buades, Coll, Morel 2005). A pixel becomes the weighted mean of all pixels in a square around
/// it. Weights are exp(-max(d² - 2 noise², 0) / strength²). d² is the mean squared difference between the patches
/// around both pixels, over all colours. Beyond the image it is mirrored. Alpha does not count, and is kept.
///
/// scikit-image's denoise_nl_means(fast_mode=True) differs: of a patch of 7x7 pixels it adds up 6x6, and it leaves
/// out weights below e^-5. For 8 bits patch sums are whole numbers here. Where a patch has values that are not
/// finite the pixel stays.
struct Denoise {
    Level strength = 0.1; ///< 1 is white
    Level noise = 0;      ///< its standard deviation, likewise
    int patch = 3;        ///< how far a patch reaches from its middle, pixels: 1 to 3
    int search = 10;      ///< how far away similar places may be, pixels: 1 to 10
    PointMethod method = PointMethod::automatic;

    GpuImage operator()(Context& gpu, const GpuImage& src) const { return run(*this, gpu, src); }
    /// The same, bit for bit, for a picture of any size. `to` receives all rows; the caller calls finish().
    void operator()(Context& gpu, const RowSource& from, RowWriter& to,
                    const TileProgress& progress = {}) const {
        run(*this, gpu, from, to, progress);
    }
};

Plan plan(const Denoise& op, const Form& form);

} // namespace glproc
