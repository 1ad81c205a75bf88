#include "glproc/ops/stats.hpp"

#include "glproc/op/describe.hpp"
#include "glproc/ops/histogram/count.hpp"
#include "glproc/ops/histogram/sweep.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <utility>

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
    if (stats.count == 0) {
        stats.min = stats.max = stats.mean = stats.stddev = stats.median = stats.entropy = not_a_number;
        stats.percentiles.assign(op.percentiles.size(), not_a_number);
        return stats;
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

/// The statistics of the bands so far.
class StatsSweep : public SweepState {
  public:
    virtual std::vector<ChannelStats> stats() = 0;
};

/// Of codes, out of how often each occurs.
class CodeStats final : public StatsSweep {
  public:
    CodeStats(const Stats& op, const Histogram& histogram, Context& gpu, const BandCut& cut)
        : op_(op), counts_(histogram, gpu, cut) {}

    RowsMade next(Context& gpu, Band& band) override {
        counts_.add(gpu, band);
        return {};
    }
    std::vector<ChannelStats> stats() override {
        std::vector<ChannelStats> stats;
        for (const ChannelCounts& counts : counts_.counts()) {
            stats.push_back(stats_of(counts.counts, op_));
        }
        return stats;
    }

  private:
    Stats op_;
    BandCounts counts_;
};

/// Of floats, which are seen twice.
class FloatStats final : public StatsSweep {
  public:
    FloatStats(const Stats& op, const Form& form)
        : op_(op), skips_(form.has_alpha() && !op.hidden), measured_(static_cast<std::size_t>(form.channels)) {}

    RowsMade next(Context&, Band& band) override {
        add(band.pixels());
        return {};
    }
    void add(const Image& pixels) {
        const auto values = pixels.values<float>();
        const std::size_t channels = measured_.size();
        for (std::size_t i = 0; i < values.size(); ++i) {
            const std::size_t c = i % channels;
            if (skips_ && c + 1 < channels && values[i - c + channels - 1] == 0) {
                continue;
            }
            is_second_ ? measured_[c].look_again(values[i]) : measured_[c].look(values[i]);
        }
    }
    bool again() override {
        if (std::exchange(is_second_, true)) {
            return false;
        }
        for (FloatMoments& channel : measured_) {
            channel.choose([&](std::uint64_t count) {
                std::vector<std::uint64_t> ranks{(count - 1) / 2};
                for (const double percent : op_.percentiles) {
                    ranks.push_back(rank_of(percent, count));
                }
                return ranks;
            });
        }
        return true;
    }
    std::vector<ChannelStats> stats() override {
        std::vector<ChannelStats> stats;
        for (const FloatMoments& channel : measured_) {
            const auto [min, max, mean, stddev, none] = channel.statistics();
            std::vector<double> values = channel.values();
            values.resize(1 + op_.percentiles.size(), not_a_number);
            stats.push_back({channel.count(), channel.nan(), min, max, mean, stddev,
                             channel.count() > 0 ? values[0] : none, {values.begin() + 1, values.end()}, not_a_number});
        }
        return stats;
    }

  private:
    Stats op_;
    bool skips_; ///< whether pixels of alpha 0 are left out
    std::vector<FloatMoments> measured_;
    bool is_second_ = false;
};

/// A bin for each code.
Histogram counts_for(const Stats& op, const Form& form) {
    Histogram histogram{.bins = static_cast<int>(max_code(form.depth)) + 1, .channels = {}, .hidden = op.hidden};
    for (const auto& [channel, name] : channels_of(form)) {
        histogram.channels.push_back(channel);
    }
    histogram.variant = op.method == StatsMethod::cpu ? HistogramVariant::cpu : HistogramVariant::automatic;
    return histogram;
}

std::vector<ChannelStats> stats_on_processor(const Stats& op, const Image& image) {
    if (image.depth() == Depth::f32) {
        FloatStats stats(op, image.form());
        do {
            stats.add(image);
        } while (stats.again());
        return stats.stats();
    }
    std::vector<ChannelStats> stats;
    for (const ChannelCounts& counts : count_on_cpu(image, counts_for(op, image.form()))) {
        stats.push_back(stats_of(counts.counts, op));
    }
    return stats;
}

/// For people: codes lie far apart, floats may all be small.
std::string figure(double value, Depth depth) {
    return depth == Depth::f32 ? fmt::format("{:.6g}", value) : fmt::format("{:.3f}", value);
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
        text += fmt::format("{}: min {:.6g}  max {:.6g}  mean {}  stddev {}  median {:.6g}", channel, s.min,
                            s.max, figure(s.mean, form.depth), figure(s.stddev, form.depth), s.median);
        text += std::isnan(s.entropy) ? "" : fmt::format("  entropy {:.3f}", s.entropy);
        text += s.nan == 0 ? "" : fmt::format("  NaN {}", s.nan);
        const auto pixels = static_cast<std::uint64_t>(form.width) * static_cast<std::uint64_t>(form.height);
        const std::uint64_t hidden = pixels - s.count - s.nan;
        text += hidden == 0 ? "" : fmt::format("  hidden {}", hidden);
        for (std::size_t p = 0; p < op.percentiles.size(); ++p) {
            row += fmt::format(",{}", s.percentiles[p]);
            text += fmt::format("  {}% {:.6g}", op.percentiles[p], s.percentiles[p]);
            percentiles.push_back({Value::Object{{"percent", {op.percentiles[p]}},
                                                 {"value", pixel_value(s.percentiles[p], form.depth)}}});
        }
        report.csv += row + '\n';
        text += '\n';
        channels.push_back({Value::Object{{"name", {channel}},
                                          {"count", {static_cast<std::int64_t>(s.count)}},
                                          {"nan", {static_cast<std::int64_t>(s.nan)}},
                                          {"min", pixel_value(s.min, form.depth)},
                                          {"max", pixel_value(s.max, form.depth)},
                                          {"mean", pixel_value(s.mean, form.depth)},
                                          {"stddev", pixel_value(s.stddev, form.depth)},
                                          {"median", pixel_value(s.median, form.depth)},
                                          {"percentiles", {std::move(percentiles)}},
                                          {"entropy", {s.entropy}}}});
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

SweepPlan plan(const Stats& op, const Form& form) {
    check(op);
    const Histogram histogram = counts_for(op, form);
    const bool twice = form.depth == Depth::f32;
    return {.source = form,
            .needs = [form](Context&) { return histogram_needs(form); },
            .sweeps = {{.may_repeat = twice,
                        .begin = [=](Context& gpu, const BandCut& cut, SweepState*) -> std::unique_ptr<SweepState> {
                            if (twice) {
                                return std::make_unique<FloatStats>(op, form);
                            }
                            return std::make_unique<CodeStats>(op, histogram, gpu, cut);
                        }}},
            .report = [op, form](Context&, SweepState& last, const std::string& name) {
                return report_of(op, name, form, static_cast<StatsSweep&>(last).stats());
            }};
}

std::vector<ChannelStats> Stats::operator()(Context& gpu, const GpuImage& image) const {
    return run_sweeps(gpu, plan(*this, image.form()), image).last<StatsSweep>().stats();
}

std::vector<ChannelStats> Stats::operator()(Context& gpu, const RowSource& picture,
                                            const TileProgress& progress) const {
    return run_sweeps(gpu, plan(*this, picture.form), picture, nullptr, progress).last<StatsSweep>().stats();
}

const OpInfo& stats_info() {
    static const OpInfo info =
        Describe<Stats>("stats", "print minimum, maximum, mean, median and more per channel",
                        "in.png --percentiles 1,99")
            .example("Print the first and the last percentile of a folder as CSV",
                     "photos --percentiles 1,99 --format csv")
            .found_by({"avg", "deviate", "max", "min"}, "IN")
            .field("percentiles", &Stats::percentiles,
                   {.value = "P,...",
                    .unit = "percent",
                    .limit = percent_limit,
                    .help = "also print these percentiles of the pixel values"})
            .toggle("hidden", &Stats::hidden, true, {.help = "also count the colours of fully transparent pixels"})
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
            .by_processor([](const Stats& op) { return op.method == StatsMethod::automatic || op.method == StatsMethod::cpu; },
                          [](const Stats& op, const std::string& name, const Image& pixels) {
                              check(op);
                              return report_of(op, name, pixels.form(), stats_on_processor(op, pixels));
                          })
            .runs(Product::report, &plan);
    return info;
}

} // namespace glproc
