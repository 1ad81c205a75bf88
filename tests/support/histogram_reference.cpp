#include "support/histogram_reference.hpp"

#include "support/hidden.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>

#include <fmt/format.h>

namespace glproc::test {

namespace {

struct Weights {
    std::array<std::uint64_t, 3> of{};
    std::uint64_t sum = 0;
};

Weights weights_of(LumaWeights luma) {
    return luma == LumaWeights::rec709 ? Weights{{2126, 7152, 722}, 10000} : Weights{{299, 587, 114}, 1000};
}

/// Index of a stored channel; nothing for luma of colours.
std::optional<int> stored_channel(const Image& image, HistogramChannel channel) {
    switch (channel) {
    case HistogramChannel::alpha:
        return image.channels() - 1;
    case HistogramChannel::luma:
        return image.channels() <= 2 ? std::optional<int>(0) : std::nullopt;
    case HistogramChannel::red:
        return 0;
    case HistogramChannel::green:
        return image.channels() <= 2 ? 0 : 1;
    case HistogramChannel::blue:
        return image.channels() <= 2 ? 0 : 2;
    }
    return std::nullopt;
}

/// A value as a fraction: code × unit.
struct Fraction {
    std::uint64_t number;
    std::uint64_t unit;
};

Fraction exact_value(const Image& image, int x, int y, HistogramChannel channel, LumaWeights luma) {
    const auto code = [&](int c) { return static_cast<std::uint64_t>(image.at(x, y, c)); };
    if (const auto stored = stored_channel(image, channel)) {
        return {code(*stored), 1};
    }
    const Weights w = weights_of(luma);
    return {w.of[0] * code(0) + w.of[1] * code(1) + w.of[2] * code(2), w.sum};
}

std::uint64_t largest_code(Depth depth) {
    return depth == Depth::u8 ? 255 : 65535;
}

/// Colours that cannot be seen do not count, unless they are asked for.
bool counts_here(const Image& image, int x, int y, HistogramChannel channel, bool hidden) {
    return hidden || channel == HistogramChannel::alpha || !is_hidden(image, x, y);
}

/// A float value, and how far single precision may have it off.
struct Fuzzy {
    long double value;
    long double error;
};

constexpr long double half_ulp = 0x1p-24L;

Fuzzy fuzzy_value(const Image& image, int x, int y, HistogramChannel channel, LumaWeights luma) {
    if (const auto stored = stored_channel(image, channel)) {
        return {image.at(x, y, *stored), 0};
    }
    const Weights w = weights_of(luma);
    Fuzzy result{0, 0};
    for (int c = 0; c < 3; ++c) {
        const long double v = image.at(x, y, c);
        result.value +=
            v * static_cast<long double>(w.of[static_cast<std::size_t>(c)]) / static_cast<long double>(w.sum);
        result.error += 4 * half_ulp * std::fabs(v);
    }
    return result;
}

/// Counts that are certain, and those that may be there too. Indices `bins` and `bins` + 1: outside, NaN.
struct Bounds {
    std::vector<std::uint64_t> sure;
    std::vector<std::uint64_t> maybe;
};

Bounds count_bounds(const Image& image, const Histogram& asked, HistogramChannel channel) {
    const auto bins = static_cast<std::size_t>(asked.bins);
    Bounds bounds{std::vector<std::uint64_t>(bins + 2), std::vector<std::uint64_t>(bins + 2)};
    const long double low = static_cast<float>(asked.range.low);
    const long double high = static_cast<float>(asked.range.high);
    const long double scale = asked.bins / (high - low);
    for (int y = 0; y < image.height(); ++y) {
        for (int x = 0; x < image.width(); ++x) {
            if (!counts_here(image, x, y, channel, asked.hidden)) {
                continue;
            }
            const Fuzzy v = fuzzy_value(image, x, y, channel, asked.luma);
            if (std::isnan(v.value)) {
                ++bounds.sure[bins + 1];
                continue;
            }
            if (v.value + v.error < low || v.value - v.error > high || std::isinf(v.value)) {
                ++bounds.sure[bins];
                continue;
            }
            const long double error = (v.error + 4 * half_ulp * std::fabs(v.value - low)) * scale;
            const auto bin = [&](long double place) {
                return static_cast<std::size_t>(std::clamp(std::floor(place), 0.0L, asked.bins - 1.0L));
            };
            const std::size_t first = bin((v.value - low) * scale - error);
            const std::size_t last = bin((v.value - low) * scale + error);
            const bool maybe_outside = v.value - v.error < low || v.value + v.error > high;
            if (first == last && !maybe_outside) {
                ++bounds.sure[first];
                continue;
            }
            for (std::size_t b = first; b <= last; ++b) {
                ++bounds.maybe[b];
            }
            bounds.maybe[bins] += maybe_outside ? 1 : 0;
        }
    }
    return bounds;
}

std::string float_mistake(const Image& image, const Histogram& asked, const ChannelCounts& got) {
    const Bounds bounds = count_bounds(image, asked, got.channel);
    std::vector<std::uint64_t> all = got.counts;
    all.push_back(got.outside);
    all.push_back(got.nan);
    for (std::size_t bin = 0; bin < all.size(); ++bin) {
        if (all[bin] < bounds.sure[bin] || all[bin] > bounds.sure[bin] + bounds.maybe[bin]) {
            return fmt::format("bin {} counts {}, not {} to {}", bin, all[bin], bounds.sure[bin],
                               bounds.sure[bin] + bounds.maybe[bin]);
        }
    }
    return {};
}

std::string whole_mistake(const Image& image, const Histogram& asked, const ChannelCounts& got) {
    const auto expected = exact_counts(image, got.channel, asked.luma, asked.bins, asked.hidden);
    for (std::size_t bin = 0; bin < expected.size(); ++bin) {
        if (got.counts[bin] != expected[bin]) {
            return fmt::format("bin {} counts {}, not {}", bin, got.counts[bin], expected[bin]);
        }
    }
    return got.outside + got.nan == 0 ? "" : "an integer image has values outside or NaN";
}

std::string channel_mistake(const Image& image, const Histogram& asked, const ChannelCounts& got) {
    if (got.counts.size() != static_cast<std::size_t>(asked.bins)) {
        return fmt::format("{} bins", got.counts.size());
    }
    const std::uint64_t sum = std::accumulate(got.counts.begin(), got.counts.end(), got.outside + got.nan);
    std::uint64_t pixels = 0;
    for (int y = 0; y < image.height(); ++y) {
        for (int x = 0; x < image.width(); ++x) {
            pixels += counts_here(image, x, y, got.channel, asked.hidden) ? 1 : 0;
        }
    }
    if (sum != pixels) {
        return fmt::format("{} pixels counted, not {}", sum, pixels);
    }
    return image.depth() == Depth::f32 ? float_mistake(image, asked, got) : whole_mistake(image, asked, got);
}

} // namespace

std::vector<std::uint64_t> exact_counts(const Image& image, HistogramChannel channel, LumaWeights luma,
                                        int bins, bool hidden) {
    std::vector<std::uint64_t> counts(static_cast<std::size_t>(bins));
    const auto n = static_cast<std::uint64_t>(bins);
    for (int y = 0; y < image.height(); ++y) {
        for (int x = 0; x < image.width(); ++x) {
            if (!counts_here(image, x, y, channel, hidden)) {
                continue;
            }
            const Fraction v = exact_value(image, x, y, channel, luma);
            // v.number < 2^30 and n <= 2^16: all of it fits 64 bits.
            ++counts[std::min(v.number * n / (v.unit * largest_code(image.depth())), n - 1)];
        }
    }
    return counts;
}

std::vector<Rgb> pixels_at_edges(Depth depth, LumaWeights luma, int bins, int count, std::uint32_t seed) {
    const Weights w = weights_of(luma);
    const std::uint64_t code = largest_code(depth);
    const std::uint64_t white = w.sum * code;
    const auto n = static_cast<std::uint64_t>(bins);
    const auto random = [&](std::size_t i, std::uint32_t use, std::uint64_t below) {
        const double u = hash_01(seed, static_cast<std::uint32_t>(i), use);
        return std::min(static_cast<std::uint64_t>(u * static_cast<double>(below)), below - 1);
    };
    std::vector<Rgb> pixels;
    const auto wanted = static_cast<std::size_t>(count);
    for (std::size_t i = 0; pixels.size() < wanted && i < 200 * wanted; ++i) {
        const std::uint64_t edge = ((1 + random(i, 0, n - 1)) * white + n - 1) / n; // the first luma of a bin
        const std::uint64_t distance = random(i, 1, 3);                             // or one or two below it
        const std::uint64_t red = random(i, 2, code + 1);
        if (edge < distance + w.of[0] * red) {
            continue;
        }
        const std::uint64_t rest = edge - distance - w.of[0] * red;
        // The green values that leave a multiple of blue's weight repeat with a period of at most that
        // weight.
        const std::uint64_t first = std::min(rest / w.of[1], code);
        for (std::uint64_t back = 0; back <= std::min(first, w.of[2]); ++back) {
            const std::uint64_t green = first - back;
            const std::uint64_t blue = (rest - green * w.of[1]) / w.of[2];
            if (blue <= code && blue * w.of[2] + green * w.of[1] == rest) {
                pixels.push_back({static_cast<std::uint32_t>(red), static_cast<std::uint32_t>(green),
                                  static_cast<std::uint32_t>(blue)});
                break;
            }
        }
    }
    return pixels;
}

std::string mistake(const Image& image, const Histogram& asked, const std::vector<ChannelCounts>& got) {
    if (got.size() != asked.channels.size()) {
        return fmt::format("{} channels, not {}", got.size(), asked.channels.size());
    }
    for (std::size_t i = 0; i < got.size(); ++i) {
        const std::string what = got[i].channel != asked.channels[i] ? fmt::format("stands at place {}", i)
                                                                     : channel_mistake(image, asked, got[i]);
        if (!what.empty()) {
            return fmt::format("{} of {}, {}: {}", glproc::name_of(got[i].channel), describe(image),
                               describe(asked), what);
        }
    }
    return {};
}

Statistics naive_statistics(const Image& image, HistogramChannel channel, LumaWeights luma, bool hidden) {
    std::vector<long double> values;
    for (int y = 0; y < image.height(); ++y) {
        for (int x = 0; x < image.width(); ++x) {
            if (!counts_here(image, x, y, channel, hidden)) {
                continue;
            }
            if (image.depth() == Depth::f32) {
                const long double v = fuzzy_value(image, x, y, channel, luma).value;
                if (!std::isnan(v)) {
                    values.push_back(v);
                }
            } else {
                const Fraction v = exact_value(image, x, y, channel, luma);
                values.push_back(static_cast<long double>(v.number) / static_cast<long double>(v.unit));
            }
        }
    }
    if (values.empty()) {
        constexpr double nan = std::numeric_limits<double>::quiet_NaN();
        return {nan, nan, nan, nan, nan};
    }
    std::sort(values.begin(), values.end());
    const auto n = static_cast<long double>(values.size());
    const long double mean = std::accumulate(values.begin(), values.end(), 0.0L) / n;
    const long double squares =
        std::accumulate(values.begin(), values.end(), 0.0L,
                        [&](long double sum, long double v) { return sum + (v - mean) * (v - mean); });
    return {static_cast<double>(values.front()), static_cast<double>(values.back()),
            static_cast<double>(mean), static_cast<double>(std::sqrt(squares / n)),
            static_cast<double>(values[(values.size() - 1) / 2])};
}

std::string describe(const Histogram& histogram) {
    return fmt::format("{} bins, channels {}, {}, range {}{}, variant {}", histogram.bins,
                       FieldText<std::vector<HistogramChannel>>::print(histogram.channels),
                       glproc::name_of(histogram.luma), FieldText<Interval>::print(histogram.range),
                       histogram.hidden ? ", hidden ones too" : "",
                       glproc::name_of(histogram.variant));
}

} // namespace glproc::test
