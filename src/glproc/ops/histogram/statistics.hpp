// Smallest, largest, mean, standard deviation and median of a channel.
#pragma once

#include "glproc/kinds/samples.hpp"
#include "glproc/math/ranks.hpp"

#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <vector>

namespace glproc {

/// In code units (0-255, 0-65535, or floats as they are), luma as a real number. Exact for integer images
/// except for one rounding each. NaN values of float images are left out; if there is nothing, every figure is
/// NaN.
struct Statistics {
    double min = 0;
    double max = 0;
    double mean = 0;
    double stddev = 0; ///< over N, not N - 1
    double median = 0; ///< the lower one of two
};

/// Statistics of floats that are shown to it twice: first all to look(), then to look_again(). NaN is counted and left out.
class FloatMoments {
  public:
    void look(float value) {
        if (std::isnan(value)) {
            ++nan_;
            return;
        }
        smallest_ = value < smallest_ ? value : smallest_;
        largest_ = largest_ < value ? value : largest_;
        sum_ += value;
        ++count_;
        ranks_.count(key_of(value));
    }
    /// Between both: the ranks of values sought, as functions of how many there are. Nothing where there are none.
    void choose(const std::function<std::vector<std::uint64_t>(std::uint64_t count)>& ranks);
    void look_again(float value) {
        if (!std::isnan(value)) {
            squares_ += (value - mean_) * (value - mean_);
            ranks_.refine(key_of(value));
        }
    }

    std::uint64_t count() const { return count_; }
    std::uint64_t nan() const { return nan_; }
    /// All but the median; NaN where there are no values.
    Statistics statistics() const;
    /// The values of the ranks, in their order.
    std::vector<double> values() const;

  private:
    std::uint64_t count_ = 0;
    std::uint64_t nan_ = 0;
    float smallest_ = std::numeric_limits<float>::infinity();
    float largest_ = -std::numeric_limits<float>::infinity();
    double sum_ = 0;
    double mean_ = 0;
    double squares_ = 0;
    RadixSelect ranks_{32};
};

/// Makes two passes over the image. Without `hidden` the colours of pixels of alpha 0 are left out. The median comes from
/// counting the upper, then the lower half of the values' bits, so that nothing is sorted and nothing is stored. This is
/// a radix selection, derived from the radix sort in Knuth, The Art of Computer Programming, vol. 3, 5.2.5.
Statistics measure(const Image& image, HistogramChannel channel, LumaWeights weights, bool hidden);

/// The same for an image that comes in parts, from top to bottom, and a second time if begin_again() says so.
class Measurement {
  public:
    /// Parts will be of this depth and number of channels. Throws Error(usage) for the alpha of images
    /// without.
    Measurement(const Form& form, HistogramChannel channel, LumaWeights weights, bool hidden);
    Measurement(Measurement&&) noexcept;
    ~Measurement();

    /// The next rows.
    void add(const Image& part);

    /// After the last part: whether all must be added once more.
    bool begin_again();

    Statistics result() const;

    /// Measures one type of value.
    class Kind;

  private:
    HistogramChannel channel_;
    LumaWeights weights_;
    bool hidden_;
    std::unique_ptr<Kind> kind_;
};

} // namespace glproc
