// Smallest, largest, mean, standard deviation and median of a channel.
#pragma once

#include "glproc/kinds/samples.hpp"

#include <memory>

namespace glproc {

/// In code units (0-255, 0-65535, or floats as they are), luma as a real number. Exact for integer images but
/// for one rounding each. NaN values of float images are left out; where nothing is left every figure is NaN.
struct Statistics {
    double min = 0;
    double max = 0;
    double mean = 0;
    double stddev = 0; ///< over N, not N - 1
    double median = 0; ///< the lower one of two
};

/// Two passes over the image. The median comes from counting the upper, then the lower half of the values'
/// bits (a radix selection; Knuth, The Art of Computer Programming, vol. 3, 5.2.5 has the radix sort it is
/// cut from), so that nothing is sorted and nothing is stored.
Statistics measure(const Image& image, HistogramChannel channel, LumaWeights weights);

/// The same of an image that comes in parts, from top to bottom, and once more where begin_again() says so.
class Measurement {
  public:
    /// Parts will be of this depth and number of channels. Throws Error(usage) for the alpha of images
    /// without.
    Measurement(const Form& form, HistogramChannel channel, LumaWeights weights);
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
    std::unique_ptr<Kind> kind_;
};

} // namespace glproc
