// What a histogram must count, pixel by pixel and by definition. Nothing here shares code with the library:
// of its headers only the operation's parameters and results are used.
#pragma once

#include "glproc/ops/histogram.hpp"
#include "glproc/ops/histogram/statistics.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace glproc::test {

/// Integer images: the counts of a channel, by whole-number arithmetic; without `hidden`, of what can be seen.
std::vector<std::uint64_t> exact_counts(const Image& image, HistogramChannel channel, LumaWeights luma,
                                        int bins, bool hidden = false);

/// Codes of a pixel of three channels.
struct Rgb {
    std::uint32_t red;
    std::uint32_t green;
    std::uint32_t blue;
};

/// Pixels of an integer image whose luma, in whole numbers, is exactly at the lower edge of one of `bins`
/// (two or more), or one or two below it: what a rounding error of the smallest kind would move. At most
/// `count` of them.
std::vector<Rgb> pixels_at_edges(Depth depth, LumaWeights luma, int bins, int count, std::uint32_t seed);

/// Empty where `got` is right for these parameters, else the first mistake. Integer images: every count is
/// exact. Float images: a value may be in either of two bins only where single precision can round it across
/// their edge; NaN is counted exactly; for one channel (not luma) so is what lies outside.
std::string mistake(const Image& image, const Histogram& asked, const std::vector<ChannelCounts>& got);

/// Sorts all values; NaN left out.
Statistics naive_statistics(const Image& image, HistogramChannel channel, LumaWeights luma, bool hidden = false);

/// The parameters as text, for messages.
std::string describe(const Histogram& histogram);

} // namespace glproc::test
