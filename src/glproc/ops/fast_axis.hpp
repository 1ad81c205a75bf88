// A Gaussian blur whose cost does not grow with sigma: how it goes along one axis.
//
// Along each axis the image is reduced to weighted means of 4 s pixels, one for every s pixels (in levels,
// where s is large), and every pixel of the result is a sum of TAPS means with weights that depend on its
// phase, its place among the s. The weights are those whose combination with the means' own comes nearest to
// the Gaussian, in the sense of least squares, with the sum 1 held exactly: a constant image stays as it is.
//
// s is at most sigma / 1.25, so that a Gaussian has next to nothing left where means alias. Off the exact
// Gaussian by at most 0.04 steps of 8 bits in the root mean square for white noise, by 0.2 at a step from
// black to white, and by 0.7 for no input whatever. Source: P. Burt, Fast filter transforms for image
// processing, CGIP 16(1), 1981, with fitted weights.
#pragma once

#include <vector>

namespace glproc {

/// One reduction along an axis. Mean n covers the 4 `factor` values from first + n * factor on.
struct Reduction {
    int factor = 1;
    int first = 0;
    int means = 0;
    std::vector<float> weights; ///< of the values of a mean
};

/// A blur along one axis.
struct FastAxis {
    std::vector<Reduction> reductions;
    int factor = 1;             ///< pixels from one mean to the next, after all reductions
    int shift = 0;              ///< pixel x is in phase (x + shift) mod factor of block (x + shift) / factor
    int first_block = 0;        ///< whose first mean is mean 0
    int taps = 0;               ///< means that a pixel depends on
    std::vector<float> weights; ///< [phase][tap], each phase padded to a multiple of four
};

/// So far to each side a pixel of the result depends on pixels of the image, rounded up to a multiple of the
/// factor. A part of an image that begins at such a multiple has the means of the whole. `axis` must be
/// planned for as many pixels as its factor.
int fast_reach(const FastAxis& axis);

/// The least sigma that can be reduced at all.
constexpr double least_fast_sigma = 2.5;

/// `half_kernel`: the weights of the Gaussian at 0, 1, 2 …; `sigma` at least least_fast_sigma; `size` pixels.
FastAxis plan_fast_axis(const std::vector<double>& half_kernel, double sigma, int size);

} // namespace glproc
