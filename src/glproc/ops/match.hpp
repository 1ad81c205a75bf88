// The histogram of another image.
#pragma once

#include "glproc/kinds/point.hpp"

namespace glproc {

/// Gives each colour the histogram that it has in another image; alpha is kept. Images of 8 and 16 bits.
///
/// The code c with a share q of the pixels up to it becomes the value up to which the other image has that
/// share, interpolated between the codes that occur there: numpy.interp of the cumulative histograms, like
/// scikit-image's match_histograms, rounded once with ties to even. Shares are compared and interpolated as
/// whole numbers. The other image is rounded to the depth of the image, and must be grey or colour like it.
struct Match {
    PictureInput with = {};
    PointMethod method = PointMethod::automatic;

    GpuImage operator()(Context& gpu, const GpuImage& src) const { return run(*this, gpu, src); }
};

Plan plan(const Match& op, const Form& form);

} // namespace glproc
