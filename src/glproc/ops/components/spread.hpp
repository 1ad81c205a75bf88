// How the values of a second picture are spread over components.
#pragma once

#include "glproc/image/image.hpp"
#include "glproc/ops/components/sums.hpp"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <vector>

namespace glproc {

/// Of one channel over a component, in its values. NaN where it has no pixel that can be seen, and where a
/// value is NaN.
///
/// The standard deviation is over n, as in numpy.std. The skewness is the third central moment, divided by
/// the cube of the standard deviation, as in scipy.stats.skew and ImageJ. Both come from exact sums of
/// integers. For floats they are updated from pixel to pixel, row by row. Source: P. Pebay, Formulas
/// for robust, one-pass parallel computation of covariances and arbitrary-order statistical moments, Sandia
/// Report SAND2008-6212, 2008.
struct ValueSpread {
    double stddev = std::numeric_limits<double>::quiet_NaN();
    double skewness = std::numeric_limits<double>::quiet_NaN(); ///< NaN where all values are the same
    double median = std::numeric_limits<double>::quiet_NaN();   ///< the mean of the two middle ones
    double mode = std::numeric_limits<double>::quiet_NaN(); ///< the most frequent; of several the smallest
};

/// The values of one channel of a component that is not finished yet.
class UnfinishedValues {
  public:
    /// Makes room for the ranks of so many pixels.
    void keep(std::uint64_t pixels, Depth depth);
    template <class T>
    void add(T value, bool is_ranked);
    ValueSpread spread(Depth depth);

  private:
    void find_moments(Depth depth, ValueSpread& spread) const;
    void find_ranks(Depth depth, ValueSpread& spread);

    std::uint64_t count_ = 0;
    std::uint64_t sum_ = 0; ///< of integers, as the next two
    WideSum squares_ = 0;
    WideSum cubes_ = 0;
    double mean_ = 0;                        ///< of floats
    double second_ = 0;                      ///< the sum of the squares of differences from the mean
    double third_ = 0;                       ///< likewise of cubes
    std::vector<std::uint32_t> keys_ = {};   ///< for ranks: all values, or
    std::vector<std::uint64_t> counts_ = {}; ///< how often each comes
};

/// Goes over rows of labels, and the same rows of the picture, from top to bottom. For ranks, a component
/// keeps 4 bytes for each of its pixels and channels until its last row. A count of each possible value takes
/// their place where that is less: 2 KiB for 8 bits, 512 KiB for 16 bits.
class SpreadMeasures {
  public:
    /// The components must outlive it. `with`: the form of the picture. `ranks`: whether median and mode are
    /// wanted.
    SpreadMeasures(std::span<const ComponentSums> components, const Form& with, bool ranks);

    /// Rows of `width` labels.
    void add(std::span<const std::uint32_t> labels, const Image& values);

    /// After the last row: of all channels of the first component, then of the second.
    std::vector<ValueSpread>& spreads() { return spreads_; }

    /// The most bytes that ranks take at once.
    static std::uint64_t most_bytes(std::span<const ComponentSums> components, const Form& with);

  private:
    template <class T>
    void add_run(std::size_t component, std::span<const T> pixels);
    template <class T>
    void add_rows(std::span<const std::uint32_t> labels, const Image& values);
    void finish(std::size_t component);

    std::span<const ComponentSums> components_;
    Form with_;
    bool ranks_;
    std::vector<std::unique_ptr<std::vector<UnfinishedValues>>> unfinished_; ///< of each channel
    std::vector<ValueSpread> spreads_;
    int y_ = 0;
};

} // namespace glproc
