// Scopes of the result: its histogram, as the histogram's own kernels counted it, and its waveform: how
// bright it is at each place from left to right, as editors of video judge it.
#pragma once

#include "glproc/image/image.hpp"
#include "glproc/ops/histogram.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include <imgui.h>

#include "view/panels/canvas.hpp"

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

/// How many pixels of each strip of columns have which value.
class Waveform {
  public:
    static constexpr int levels = 256; ///< from black to white
    static constexpr int most_columns = 256;

    /// Values beyond black and white count as these, and those that are not numbers not at all.
    explicit Waveform(const Image& image);

    int columns() const { return columns_; }
    /// 1 for grey, 3 for colours.
    int channels() const { return channels_; }
    std::uint32_t count(int channel, int column, int level) const {
        return counts_[at(channel, column, level)];
    }
    /// Of the image, on average.
    double strip_pixels() const { return strip_pixels_; }

  private:
    std::size_t at(int channel, int column, int level) const {
        return (static_cast<std::size_t>(channel) * static_cast<std::size_t>(columns_) +
                static_cast<std::size_t>(column)) *
                   levels +
               static_cast<std::size_t>(level);
    }
    template <class T>
    void count(const Image& image);

    int columns_;
    int channels_;
    double strip_pixels_;
    std::vector<std::uint32_t> counts_;
};

/// The picture of it, black at the bottom: red, green, blue and alpha of each place, row after row from the
/// top. Places that many pixels share are brighter.
std::vector<std::uint8_t> picture_of(const Waveform& waveform);

/// Below the histogram of the result.
class WaveformPanel {
  public:
    void show(const std::shared_ptr<const Waveform>& waveform, float height);

  private:
    std::shared_ptr<const Waveform> drawn_; ///< that the texture is of
    Handle<TextureName> texture_;
};

} // namespace glproc::view
