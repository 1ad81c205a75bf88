// The histogram of the result, as the histogram's own kernels counted it.
#pragma once

#include "glproc/ops/histogram.hpp"

#include <array>
#include <vector>

namespace glproc::view {

/// Heights of columns from 0 to 1, one a bin. `largest` becomes 1; logarithmic ones show single pixels, too.
std::vector<float> column_heights(const std::vector<std::uint64_t>& counts, double largest, bool logarithmic);

/// The count that is drawn as high as there is room: the largest, unless a few bins tower above all others,
/// as clipped black and white do.
double top_count(const std::vector<ChannelCounts>& channels);

class HistogramPanel {
  public:
    void show(const std::vector<ChannelCounts>* channels, float height);
    void switch_scale() { logarithmic_ = !logarithmic_; }

  private:
    bool logarithmic_ = false;
    std::array<bool, 4> shown_{true, true, true, true}; ///< luma, r, g, b
};

} // namespace glproc::view
