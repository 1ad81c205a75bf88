#include "glproc/image/over_rows.hpp"
#include "glproc/ops/histogram/count.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

namespace glproc {

namespace {

/// bin = min(bins - 1, floor(number * bins / full)), exactly, by one multiplication instead of a division.
///
/// number * bins / full is a whole number, or at least 1 / full > 2^-30 away from one. It is at most 2^16, so
/// that a double misses it by less than 2^-35. Adding 2^-32 therefore lifts every value that should be whole
/// to where it truncates right, and no other value across a whole number.
void count_whole(const Samples& samples, ChannelCounts& result) {
    const auto last = static_cast<std::int32_t>(result.counts.size()) - 1;
    const double scale = (last + 1) / double(samples.full());
    struct Part {
        std::vector<std::uint64_t> counts;
        std::vector<std::uint32_t> row; ///< the current row
    };
    const Part empty{std::vector<std::uint64_t>(result.counts.size()),
                     std::vector<std::uint32_t>(static_cast<std::size_t>(samples.image().width()))};
    const std::vector<Part> parts = over_rows(samples.image(), empty, [&](Part& part, int y) {
        std::uint64_t* counts = part.counts.data();
        for (const std::uint32_t number : samples.row(y, std::span(part.row))) {
            const auto bin = static_cast<std::int32_t>(static_cast<std::int32_t>(number) * scale + 0x1p-32);
            ++counts[std::min(bin, last)];
        }
    });
    for (const Part& part : parts) {
        std::transform(part.counts.begin(), part.counts.end(), result.counts.begin(), result.counts.begin(),
                       std::plus<>());
    }
}

void count_floats(const Samples& samples, const FloatBins& range, ChannelCounts& result) {
    const std::size_t last = result.counts.size() - 1;
    std::vector<float> row(static_cast<std::size_t>(samples.image().width()));
    for (int y = 0; y < samples.image().height(); ++y) {
        for (const float value : samples.row(y, std::span(row))) {
            if (value >= range.low && value <= range.high) {
                const float offset = value - range.low;
                ++result.counts[std::min(static_cast<std::size_t>(offset * range.scale), last)];
            } else {
                ++(std::isnan(value) ? result.nan : result.outside);
            }
        }
    }
}

} // namespace

std::vector<ChannelCounts> count_on_cpu(const Image& image, const Histogram& histogram) {
    std::vector<ChannelCounts> result;
    for (const HistogramChannel channel : histogram.channels) {
        const Samples samples(image, channel, histogram.luma, histogram.hidden);
        ChannelCounts& one = result.emplace_back();
        one.channel = channel;
        one.counts.resize(static_cast<std::size_t>(histogram.bins));
        if (image.depth() == Depth::f32) {
            count_floats(samples, float_bins(histogram.range, histogram.bins), one);
        } else {
            count_whole(samples, one);
        }
    }
    return result;
}

} // namespace glproc
