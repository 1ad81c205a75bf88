// The histogram of the result, as the histogram's own kernels counted it.
#pragma once

#include "glproc/ops/histogram.hpp"

#include <array>
#include <cstdint>
#include <vector>

#include <imgui.h>

namespace glproc::view {

/// Heights of columns from 0 to 1, one a bin. `largest` becomes 1; logarithmic ones show single pixels, too.
std::vector<float> column_heights(const std::vector<std::uint64_t>& counts, double largest, bool logarithmic);

/// The count that is drawn as high as there is room: the largest, unless a few bins tower above all others,
/// as clipped black and white do.
double top_count(const std::vector<ChannelCounts>& channels);

/// Columns of the first channel on a ground of their own; `counts` may be null.
void draw_counts(const ImVec2& corner, const ImVec2& size, const std::vector<ChannelCounts>* counts,
                 const ImVec4& colour);

/// How many pixels are at black in luma, and how many at white in each of red, green and blue.
struct ClippedCounts {
    std::uint64_t black = 0;
    std::array<std::uint64_t, 3> white{};
    bool operator==(const ClippedCounts&) const = default;
};
ClippedCounts clipped_in(const std::vector<ChannelCounts>& channels);

class HistogramPanel {
  public:
    /// `channels` is null where nothing is open. A grey image has luma alone. Lamps at both ends switch
    /// `marks_clipped`.
    void show(const std::vector<ChannelCounts>* channels, bool is_colour, bool& marks_clipped, float height);
    void switch_scale() { logarithmic_ = !logarithmic_; }

  private:
    void show_switches(bool has_counts, bool is_colour);

    bool logarithmic_ = false;
    std::array<bool, 4> shown_{true, true, true, true}; ///< luma, r, g, b
};

} // namespace glproc::view
