// The histogram of another image.
#pragma once

#include "glproc/kinds/point.hpp"

namespace glproc {

/// Gives each colour the histogram that it has in another image; alpha is kept. Images of 8 and 16 bits.
///
/// A code with a share q of the pixels up to it becomes the value up to which the other image has that share. This is numpy.interp of
/// the cumulative histograms, as in scikit-image's match_histograms: it interpolates between the codes that occur in the other
/// image. Shares are compared as whole numbers, and the result is rounded once with ties to even. The other image is rounded to the
/// depth of the image, and must be grey or colour like it.
struct Match {
    PictureInput with = {};
    PointMethod method = PointMethod::automatic;

    GpuImage operator()(Context& gpu, const GpuImage& src) const { return run(*this, gpu, src); }
};

Plan plan(const Match& op, const Form& form);

} // namespace glproc
