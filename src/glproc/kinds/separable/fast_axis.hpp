// A Gaussian blur whose cost does not grow with sigma: its plan along one axis.
//
// A Gaussian removes almost everything that one sample for every sigma / 2 pixels could not hold. So the line
// is reduced to samples, one for every `stride` pixels, each a weighted mean of `width` strides. The samples
// are blurred. Then every pixel of the result is a weighted mean of the `width` samples around it. Samples
// that are still far narrower than their blur are reduced again. The weights of both means are chosen to let
// the least through where samples alias. They take something off the Gaussian, and the blur between makes up
// for that. Of all filters of samples it comes nearest to the Gaussian, in the sense of least squares.
//
// Sources: A. H. Barnett, J. Magland, L. af Klinteberg, A parallel nonuniform fast Fourier transform library
// based on an "exponential of semicircle" kernel, SIAM J. Sci. Comput. 41(5), 2019 (the weights); P. Burt,
// Fast filter transforms for image processing, CGIP 16(1), 1981 (the scheme).
#pragma once

#include <cstddef>
#include <vector>

namespace glproc {

/// One reduction along an axis, and the way back.
struct FastLevel {
    int stride = 1;
    /// Weights of the pixels that a sample stands for, from the first to the last: width * stride.
    std::vector<float> down;
    /// Weights of the `width` samples that a pixel is made from, for each of its places in the stride.
    std::vector<float> up;
};

/// A blur along one axis. Sample n of a level stands for the pixels (of the level before it) that begin at n
/// * stride.
struct FastAxis {
    int width = 0;                 ///< strides that a sample stands for
    std::vector<FastLevel> levels; ///< the first reduces pixels, the next its samples
    std::vector<double> middle;    ///< half kernel that blurs the samples of the last

    /// Pixels from one sample to the next, after all levels.
    int factor() const;
    /// How far to each side a value that level `first` reduces depends on others.
    int reach(std::size_t first = 0) const;
    /// Adds levels up to so many; the new ones change nothing.
    void extend(std::size_t count);
};

/// With a smaller sigma an axis is not reduced: samples would be too dense for it, and exact methods cost no
/// more.
constexpr double least_fast_sigma = 4;

/// The plan for a Gaussian along one axis. For any input at all, it differs from the exact one by at most
/// 2.5e-5 of full scale if `width` is 5, and 2.6e-6 if it is 6.
FastAxis plan_fast_axis(double sigma, int width);

} // namespace glproc
