// A Gaussian blur whose cost does not grow with sigma: how it goes along one axis.
//
// A Gaussian lets next to nothing through that one sample for every sigma / 2 pixels could not hold. So the
// line is reduced to samples, one for every `stride` pixels, each a weighted mean of `width` strides; the
// samples are blurred; and every pixel of the result is a weighted mean of the `width` samples around it.
// Samples that are still far narrower than their blur are reduced again. The weights of both means are those
// that let the least through where samples alias, and the blur between makes up for what they take off the
// Gaussian: it is what comes nearest to the Gaussian, in the sense of least squares, of all filters of
// samples.
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
    /// Weights of the `width` samples that a pixel is made of, for each of its places in the stride.
    std::vector<float> up;
};

/// A blur along one axis. Sample n of a level stands for the pixels (of the level before it) from n * stride
/// on.
struct FastAxis {
    int width = 0;                 ///< strides that a sample stands for
    std::vector<FastLevel> levels; ///< the first reduces pixels, the next its samples
    std::vector<double> middle;    ///< half kernel that blurs the samples of the last

    /// Pixels from one sample to the next, after all levels.
    int factor() const;
    /// So far to each side a value of what level `first` reduces depends on others.
    int reach(std::size_t first = 0) const;
    /// Makes it have so many levels; the new ones leave all as it is.
    void extend(std::size_t count);
};

/// Axes of a smaller sigma are not reduced: samples would be too near for it, and exact methods cost no more.
constexpr double least_fast_sigma = 4;

/// What a Gaussian of one axis becomes. For no input whatever is it off the exact one by more than 2.5e-5 of
/// full scale where `width` is 5, and 2.6e-6 where it is 6.
FastAxis plan_fast_axis(double sigma, int width);

} // namespace glproc
