#include "glproc/ops/stats.hpp"

#include "glproc/files/memory_rows.hpp"
#include "glproc/math/ranks.hpp"
#include "glproc/op/describe.hpp"
#include "glproc/ops/histogram.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <memory>

#include <fmt/format.h>

namespace glproc {

namespace {

constexpr Limit percent_limit{0, 100};
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

__extension__ using Wide = unsigned __int128;

void check(const Stats& op) {
    for (const double percent : op.percentiles) {
        check_limit("percentiles", percent, percent_limit);
    }
}

/// The names of a picture's channels: for the histogram, and for people.
std::vector<std::pair<HistogramChannel, std::string>> channels_of(const Form& form) {
    using enum HistogramChannel;
    std::vector<std::pair<HistogramChannel, std::string>> channels{{red, form.channels < 3 ? "grey" : "r"}};
    if (form.channels >= 3) {
        channels.insert(channels.end(), {{green, "g"}, {blue, "b"}});
    }
    if (form.has_alpha()) {
        channels.emplace_back(alpha, "a");
    }
    return channels;
}

std::uint64_t rank_of(double percent, std::uint64_t count) {
    return static_cast<std::uint64_t>(std::floor(static_cast<double>(count - 1) * percent / 100));
}

/// From the number of times each code occurs.
ChannelStats stats_of(const std::vector<std::uint64_t>& counts, const Stats& op) {
    ChannelStats stats;
    std::uint64_t sum = 0;
    Wide squares = 0;
    for (std::size_t code = 0; code < counts.size(); ++code) {
        stats.count += counts[code];
        sum += code * counts[code];
        squares += Wide{code * code} * counts[code];
    }
    const auto n = static_cast<double>(stats.count);
    for (const std::uint64_t count : counts) {
        const double share = static_cast<double>(count) / n;
        stats.entropy -= count == 0 ? 0 : share * std::log2(share);
    }
    stats.entropy = std::max(stats.entropy, 0.0); // no -0
    const auto value_of_rank = [&](std::uint64_t rank) {
        std::size_t code = 0;
        while (rank >= counts[code]) {
            rank -= counts[code++];
        }
        return static_cast<double>(code);
    };
    const auto is_used = [](std::uint64_t count) { return count > 0; };
    stats.min = static_cast<double>(std::find_if(counts.begin(), counts.end(), is_used) - counts.begin());
    stats.max =
        static_cast<double>(counts.rend() - std::find_if(counts.rbegin(), counts.rend(), is_used) - 1);
    stats.mean = static_cast<double>(sum) / n;
    const Wide spread = squares * stats.count - Wide{sum} * sum; // n^2 times the variance
    stats.stddev = std::sqrt(static_cast<double>(spread)) / n;
    stats.median = value_of_rank((stats.count - 1) / 2);
    for (const double percent : op.percentiles) {
        stats.percentiles.push_back(value_of_rank(rank_of(percent, stats.count)));
    }
    return stats;
}

/// One channel of a float picture that is read twice.
class FloatChannel {
  public:
    void look(float value) {
        if (std::isnan(value)) {
            ++stats_.nan;
            return;
        }
        ++stats_.count;
        smallest_ = std::min(smallest_, value);
        largest_ = std::max(largest_, value);
        sum_ += value;
        ranks_.count(key_of(value));
    }

    /// Before the second reading.
    void choose(const Stats& op) {
        if (stats_.count == 0) {
            return;
        }
        stats_.mean = sum_ / static_cast<double>(stats_.count);
        std::vector<std::uint64_t> ranks{(stats_.count - 1) / 2};
        for (const double percent : op.percentiles) {
            ranks.push_back(rank_of(percent, stats_.count));
        }
        ranks_.choose(ranks);
    }

    void look_again(float value) {
        if (!std::isnan(value)) {
            squares_ += (value - stats_.mean) * (value - stats_.mean);
            ranks_.refine(key_of(value));
        }
    }

    ChannelStats result(const Stats& op) const {
        ChannelStats stats = stats_;
        stats.entropy = not_a_number;
        if (stats.count == 0) {
            stats.min = stats.max = stats.mean = stats.stddev = stats.median = not_a_number;
            stats.percentiles.assign(op.percentiles.size(), not_a_number);
            return stats;
        }
        stats.min = smallest_;
        stats.max = largest_;
        stats.stddev = std::sqrt(squares_ / static_cast<double>(stats.count));
        const std::vector<std::uint32_t> keys = ranks_.keys();
        stats.median = value_of(keys.front());
        std::transform(keys.begin() + 1, keys.end(), std::back_inserter(stats.percentiles), value_of);
        return stats;
    }

  private:
    ChannelStats stats_;
    float smallest_ = std::numeric_limits<float>::infinity();
    float largest_ = -std::numeric_limits<float>::infinity();
    double sum_ = 0;
    double squares_ = 0;
    RadixSelect ranks_{32};
};

std::vector<ChannelStats> measure_floats(const Stats& op, const RowSource& picture,
                                         const TileProgress& progress) {
    const auto channels = static_cast<std::size_t>(picture.form.channels);
    std::vector<FloatChannel> measured(channels);
    const auto visit = [&](void (FloatChannel::*look)(float), double begin) {
        visit_bands(
            picture, 256,
            [&](const Image& band) {
                const auto values = band.values<float>();
                for (std::size_t i = 0; i < values.size(); ++i) {
                    (measured[i % channels].*look)(values[i]);
                }
            },
            [&](double share) {
                if (progress) {
                    progress(begin + share / 2);
                }
            });
    };
    visit(&FloatChannel::look, 0);
    std::for_each(measured.begin(), measured.end(), [&](FloatChannel& channel) { channel.choose(op); });
    visit(&FloatChannel::look_again, 0.5);
    std::vector<ChannelStats> stats;
    std::transform(measured.begin(), measured.end(), std::back_inserter(stats),
                   [&](const FloatChannel& channel) { return channel.result(op); });
    return stats;
}

/// For a picture on the GPU, or in rows.
template <class Picture>
std::vector<ChannelStats> measure_codes(const Stats& op, Context& gpu, const Form& form,
                                        const Picture& picture) {
    Histogram histogram{.bins = static_cast<int>(max_code(form.depth)) + 1, .channels = {}};
    for (const auto& [channel, name] : channels_of(form)) {
        histogram.channels.push_back(channel);
    }
    if (op.method == StatsMethod::cpu) {
        histogram.variant = HistogramVariant::cpu;
    }
    std::vector<ChannelStats> stats;
    for (const ChannelCounts& counts : histogram(gpu, picture)) {
        stats.push_back(stats_of(counts.counts, op));
    }
    return stats;
}

Value figure(double value) {
    return {value};
}

Report report_of(const Stats& op, const std::string& name, const Form& form,
                 const std::vector<ChannelStats>& stats) {
    Report report;
    Value::List channels;
    std::string text =
        fmt::format("{}  {}x{}  {}\n", name, form.width, form.height,
                    form.depth == Depth::f32 ? "float" : fmt::format("{}-bit", static_cast<int>(form.depth)));
    report.csv = "channel,count,nan,min,max,mean,stddev,median,entropy";
    for (const double percent : op.percentiles) {
        report.csv += fmt::format(",p{}", percent);
    }
    report.csv += '\n';
    const auto names = channels_of(form);
    for (std::size_t i = 0; i < stats.size(); ++i) {
        const ChannelStats& s = stats[i];
        const std::string& channel = names[i].second;
        Value::List percentiles;
        std::string row = fmt::format("{},{},{},{},{},{},{},{},{}", channel, s.count, s.nan, s.min, s.max,
                                      s.mean, s.stddev, s.median, s.entropy);
        text += fmt::format("{}: min {:.6g}  max {:.6g}  mean {:.3f}  stddev {:.3f}  median {:.6g}", channel,
                            s.min, s.max, s.mean, s.stddev, s.median);
        text += std::isnan(s.entropy) ? "" : fmt::format("  entropy {:.3f}", s.entropy);
        text += s.nan == 0 ? "" : fmt::format("  NaN {}", s.nan);
        for (std::size_t p = 0; p < op.percentiles.size(); ++p) {
            row += fmt::format(",{}", s.percentiles[p]);
            text += fmt::format("  {}% {:.6g}", op.percentiles[p], s.percentiles[p]);
            percentiles.push_back(
                {Value::Object{{"percent", {op.percentiles[p]}}, {"value", {s.percentiles[p]}}}});
        }
        report.csv += row + '\n';
        text += '\n';
        channels.push_back({Value::Object{{"name", {channel}},
                                          {"count", {static_cast<std::int64_t>(s.count)}},
                                          {"nan", {static_cast<std::int64_t>(s.nan)}},
                                          {"min", figure(s.min)},
                                          {"max", figure(s.max)},
                                          {"mean", figure(s.mean)},
                                          {"stddev", figure(s.stddev)},
                                          {"median", figure(s.median)},
                                          {"percentiles", {std::move(percentiles)}},
                                          {"entropy", figure(s.entropy)}}});
    }
    report.tree = {Value::Object{{"schema", {"glproc.stats/1"}},
                                 {"input", {name}},
                                 {"width", {std::int64_t{form.width}}},
                                 {"height", {std::int64_t{form.height}}},
                                 {"depth", {std::int64_t{static_cast<int>(form.depth)}}},
                                 {"channels", {std::move(channels)}}}};
    report.text = [text](const TextShape&) { return text; };
    return report;
}

bool is_same(double a, double b) {
    return a == b || (std::isnan(a) && std::isnan(b)); // floats have no entropy
}

bool is_same(const std::vector<ChannelStats>& a, const std::vector<ChannelStats>& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](ChannelStats one, ChannelStats other) {
        const bool same_entropy = is_same(one.entropy, other.entropy);
        one.entropy = other.entropy = 0;
        return same_entropy && one == other;
    });
}

/// The figures, compared with the figures of the CPU.
Workload stats_workload(const Stats& op, Context& gpu, const ImageInput& input) {
    const auto got = std::make_shared<std::vector<ChannelStats>>();
    const auto check = [=, &gpu] {
        Stats reference = op;
        reference.method = StatsMethod::cpu;
        return Verdict{is_same(*got, reference(gpu, input.image)) ? "" : "the figures differ"};
    };
    return {.run = [=, &gpu] { *got = op(gpu, input.image); },
            .check = check,
            .least_bytes = static_cast<double>(input.pixels.bytes().size()),
            .on_cpu = op.method == StatsMethod::cpu};
}

} // namespace

std::vector<ChannelStats> Stats::operator()(Context& gpu, const GpuImage& image) const {
    check(*this);
    if (image.depth() == Depth::f32) {
        const Image pixels = gpu.download(image);
        return measure_floats(*this, rows_of(pixels), {});
    }
    return measure_codes(*this, gpu, image.form(), image);
}

std::vector<ChannelStats> Stats::operator()(Context& gpu, const RowSource& picture,
                                            const TileProgress& progress) const {
    check(*this);
    return picture.form.depth == Depth::f32 ? measure_floats(*this, picture, progress)
                                            : measure_codes(*this, gpu, picture.form, picture);
}

const OpInfo& stats_info() {
    static const OpInfo info =
        Describe<Stats>("stats", "print minimum, maximum, mean, median and more per channel",
                        "in.png --percentiles 1,99")
            .field("percentiles", &Stats::percentiles,
                   {.value = "P,...",
                    .unit = "percent",
                    .limit = percent_limit,
                    .help = "also print these percentiles of the pixel values"})
            .field(
                "method", &Stats::method,
                {.value = "M", .help = "where to compute; the figures are the same", .alias = "variant"})
            .bench<ImageInput>(
                "method", &Stats::method,
                {.size = "2448x1505",
                 .ladders = {{.title = "Statistics of a random 2448x1505 RGBA8 image, ms",
                              .columns = {{"all channels", "2448x1505"}}}}},
                [](const Stats&, Context&, const ImageInput&) { return std::optional<std::string>(); },
                stats_workload)
            .by_rows({.grid = [](const Stats&, Context& gpu,
                                 const Form& form) { return histogram_grid(gpu, form); },
                      .run = [](const Stats& op, Context& gpu, const RowsInput& input,
                                RowWriter*) -> std::optional<Report> {
                          return report_of(op, input.name, input.source.form,
                                           op(gpu, input.source, input.progress));
                      }})
            .runs(Product::report, [](const Stats& op, Context& gpu, const ImageInput& input) -> OpOutput {
                const Form& form = input.image.form();
                const bool is_float = form.depth == Depth::f32;
                return report_of(op, input.name, form,
                                 is_float ? op(gpu, rows_of(input.pixels)) : op(gpu, input.image));
            });
    return info;
}

} // namespace glproc
