#include "glproc/ops/maxima/prominence.hpp"

#include "glproc/base/error.hpp"
#include "glproc/kinds/value_order.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace glproc {

namespace {

constexpr std::uint32_t under_water = ~0U;

/// The land above a level that falls. Its parts grow together; each has a peak, its highest pixel.
class Land {
  public:
    Land(const Heights& heights, float least)
        : heights_(heights), parents_(heights.values.size(), under_water), peaks_(heights.values.size()),
          saddles_(heights.values.size(), least) {}

    void rise(std::uint32_t pixel) { parents_[pixel] = peaks_[pixel] = pixel; }

    /// Joins the parts around a pixel.
    void join_around(std::uint32_t pixel) {
        const int width = heights_.width;
        const auto row_pixels = static_cast<std::uint32_t>(width);
        const int x = static_cast<int>(pixel % row_pixels);
        const int y = static_cast<int>(pixel / row_pixels);
        for (int v = std::max(y - 1, 0); v <= std::min(y + 1, heights_.height - 1); ++v) {
            for (int u = std::max(x - 1, 0); u <= std::min(x + 1, width - 1); ++u) {
                const auto other = static_cast<std::uint32_t>(v) * row_pixels + static_cast<std::uint32_t>(u);
                if (parents_[other] != under_water && (heights_.is_eight || u == x || v == y)) {
                    join(pixel, other);
                }
            }
        }
    }

    std::uint32_t peak_around(std::uint32_t pixel) { return peaks_[root_of(pixel)]; }

    /// How far down one has to go from a peak, once all land is joined.
    float saddle(std::uint32_t peak) const { return saddles_[peak]; }

  private:
    std::uint32_t root_of(std::uint32_t pixel) {
        while (parents_[pixel] != pixel) {
            parents_[pixel] = parents_[parents_[pixel]];
            pixel = parents_[pixel];
        }
        return pixel;
    }

    void join(std::uint32_t here, std::uint32_t other) {
        std::uint32_t high = root_of(here);
        std::uint32_t low = root_of(other);
        if (high == low) {
            return;
        }
        const auto rank = [this](std::uint32_t root) {
            return std::pair{-heights_.values[peaks_[root]], peaks_[root]};
        };
        if (rank(low) < rank(high)) {
            std::swap(high, low);
        }
        saddles_[peaks_[low]] = heights_.values[here];
        parents_[low] = high;
    }

    const Heights& heights_;
    std::vector<std::uint32_t> parents_;
    std::vector<std::uint32_t> peaks_; ///< of roots
    std::vector<float> saddles_;       ///< of peaks that have met a higher one
};

} // namespace

void set_prominences(const Heights& heights, float least, std::vector<Maximum>& maxima) {
    if (heights.values.size() >= under_water) {
        throw Error(ErrorCode::operation, "--prominence is for images of up to 4294967294 pixels");
    }
    const std::vector<std::uint32_t> order = in_order_of_value(heights.values);
    const auto pixel_of = [&](const Maximum& maximum) {
        return static_cast<std::uint32_t>(maximum.y) * static_cast<std::uint32_t>(heights.width) +
               static_cast<std::uint32_t>(maximum.x);
    };
    Land land(heights, least);
    std::vector<std::uint32_t> peaks(maxima.size());
    auto maximum = maxima.begin();
    for (auto begin = order.rbegin(); begin != order.rend();) {
        const float level = heights.values[*begin];
        const auto end = std::find_if(begin, order.rend(),
                                      [&](std::uint32_t pixel) { return heights.values[pixel] != level; });
        std::for_each(begin, end, [&](std::uint32_t pixel) { land.rise(pixel); });
        std::for_each(begin, end, [&](std::uint32_t pixel) { land.join_around(pixel); });
        for (; maximum != maxima.end() && maximum->value == level; ++maximum) {
            peaks[static_cast<std::size_t>(maximum - maxima.begin())] = land.peak_around(pixel_of(*maximum));
        }
        begin = end;
    }
    for (std::size_t i = 0; i < maxima.size(); ++i) {
        const bool is_peak = heights.values[peaks[i]] == maxima[i].value;
        maxima[i].prominence = is_peak ? maxima[i].value - land.saddle(peaks[i]) : 0;
    }
}

} // namespace glproc
