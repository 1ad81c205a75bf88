#include "glproc/ops/histogram_report.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace glproc {

namespace {

/// A channel's counts and figures.
struct ChannelReport {
    ChannelCounts counted;
    Statistics statistics;
};

/// All that the three formats tell.
struct Facts {
    std::string input;
    int width = 0;
    int height = 0;
    Depth depth = Depth::u8;
    Interval range;
    std::size_t bins = 0;
    std::vector<ChannelReport> channels;

    bool is_float() const { return depth == Depth::f32; }
    std::uint64_t pixels() const {
        return static_cast<std::uint64_t>(width) * static_cast<std::uint64_t>(height);
    }
    /// The lower edge of a bin; of `bins`, the upper end of the range.
    double edge(std::size_t bin) const {
        const double part = static_cast<double>(bin) / static_cast<double>(bins);
        return bin == bins ? range.high : range.low + (range.high - range.low) * part;
    }
};

Value number(std::uint64_t value) {
    return {static_cast<std::int64_t>(value)};
}

Value channel_tree(const ChannelReport& channel, bool is_float) {
    Value::List counts;
    counts.reserve(channel.counted.counts.size());
    for (const std::uint64_t count : channel.counted.counts) {
        counts.push_back(number(count));
    }
    Value::Object tree{{"name", {std::string(name_of(channel.counted.channel))}},
                       {"counts", {std::move(counts)}}};
    if (is_float) {
        tree.push_back({"outside", number(channel.counted.outside)});
        tree.push_back({"nan", number(channel.counted.nan)});
    }
    const Statistics& s = channel.statistics;
    tree.insert(tree.end(), {{"min", {s.min}},
                             {"max", {s.max}},
                             {"mean", {s.mean}},
                             {"stddev", {s.stddev}},
                             {"median", {s.median}}});
    return {std::move(tree)};
}

Value tree_of(const Facts& facts) {
    Value::List channels;
    for (const ChannelReport& channel : facts.channels) {
        channels.push_back(channel_tree(channel, facts.is_float()));
    }
    return {Value::Object{{"schema", {"glproc.histogram/1"}},
                          {"input", {facts.input}},
                          {"width", {std::int64_t{facts.width}}},
                          {"height", {std::int64_t{facts.height}}},
                          {"depth", {std::int64_t{static_cast<int>(facts.depth)}}},
                          {"pixels", number(facts.pixels())},
                          {"bins", number(facts.bins)},
                          {"range", {Value::List{{facts.range.low}, {facts.range.high}}}},
                          {"channels", {std::move(channels)}}}};
}

std::string csv_of(const Facts& facts) {
    std::string csv = "bin,lo,hi";
    for (const ChannelReport& channel : facts.channels) {
        csv += fmt::format(",{}", name_of(channel.counted.channel));
    }
    csv += '\n';
    for (std::size_t bin = 0; bin < facts.bins; ++bin) {
        csv += fmt::format("{},{},{}", bin, facts.edge(bin), facts.edge(bin + 1));
        for (const ChannelReport& channel : facts.channels) {
            csv += fmt::format(",{}", channel.counted.counts[bin]);
        }
        csv += '\n';
    }
    return csv;
}

/// Decimals of the edges in text: two, or as many as keep neighbours apart.
int edge_decimals(const Facts& facts) {
    const double bin_width = (facts.range.high - facts.range.low) / static_cast<double>(facts.bins);
    constexpr double slack = 1 + 1e-9; // a hundredth is not quite 0.01
    int decimals = 2;
    while (decimals < 40 && bin_width * slack < std::pow(10.0, -decimals)) {
        ++decimals;
    }
    return decimals;
}

/// Texts of one column, padded on the left to the widest.
class Column {
  public:
    void add(std::string text) {
        width_ = std::max(width_, text.size());
        texts_.push_back(std::move(text));
    }
    std::string operator[](std::size_t row) const { return fmt::format("{:>{}}", texts_[row], width_); }

  private:
    std::size_t width_ = 0;
    std::vector<std::string> texts_;
};

/// The highest count gets `columns`, the others their share, rounded.
std::string bar(std::uint64_t count, std::uint64_t highest, int columns) {
    const double share = highest == 0 ? 0.0 : static_cast<double>(count) / static_cast<double>(highest);
    const auto length = static_cast<std::size_t>(std::floor(share * columns + 0.5));
    return fmt::format("{:#<{}}", "", length);
}

std::string bin_lines(const Facts& facts, const std::vector<std::uint64_t>& counts, int columns) {
    const std::uint64_t highest = *std::max_element(counts.begin(), counts.end());
    const int decimals = edge_decimals(facts);
    Column edges;
    Column numbers;
    Column shares;
    edges.add(fmt::format("{:.{}f}", facts.edge(0), decimals));
    for (std::size_t bin = 0; bin < counts.size(); ++bin) {
        edges.add(fmt::format("{:.{}f}", facts.edge(bin + 1), decimals));
        numbers.add(fmt::format("{}", counts[bin]));
        const double percent = 100.0 * static_cast<double>(counts[bin]) / static_cast<double>(facts.pixels());
        shares.add(fmt::format("{:.1f}%", percent));
    }
    std::string lines;
    for (std::size_t bin = 0; bin < counts.size(); ++bin) {
        const std::string line = fmt::format("[{}, {}{}  {}  {}  {}", edges[bin], edges[bin + 1],
                                             bin + 1 == counts.size() ? ']' : ')', numbers[bin], shares[bin],
                                             bar(counts[bin], highest, columns));
        lines += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
    }
    return lines;
}

std::string channel_text(const Facts& facts, const ChannelReport& channel, int columns) {
    const auto [min, max, mean, stddev, median] = channel.statistics;
    std::string text = fmt::format("{}  {}x{}  {}-bit{}  {}\n", facts.input, facts.width, facts.height,
                                   static_cast<int>(facts.depth), facts.is_float() ? " float" : "",
                                   name_of(channel.counted.channel));
    text += bin_lines(facts, channel.counted.counts, columns);
    if (facts.is_float()) {
        text += fmt::format("outside {}  nan {}\n", channel.counted.outside, channel.counted.nan);
    }
    const int decimals = facts.is_float() ? 6 : 3; // of a range of 1, or of hundreds
    return text + fmt::format("min {:.7g}  max {:.7g}  mean {:.{}f}  stddev {:.{}f}  median {:.7g}\n", min,
                              max, mean, decimals, stddev, decimals, median);
}

/// One block for each channel.
std::string text_of(const Facts& facts, int columns) {
    std::string text;
    for (const ChannelReport& channel : facts.channels) {
        text += text.empty() ? "" : "\n";
        text += channel_text(facts, channel, columns);
    }
    return text;
}

} // namespace

Report histogram_report(const std::string& name, const Form& image, const Histogram& histogram,
                        std::vector<ChannelCounts> counts, const std::vector<Statistics>& statistics) {
    Facts facts{.input = name,
                .width = image.width,
                .height = image.height,
                .depth = image.depth,
                .range = histogram.range,
                .bins = static_cast<std::size_t>(histogram.bins),
                .channels = {}};
    for (std::size_t i = 0; i < counts.size(); ++i) {
        facts.channels.push_back({std::move(counts[i]), statistics[i]});
    }
    const auto shared = std::make_shared<const Facts>(std::move(facts));
    return {.tree = tree_of(*shared), .csv = csv_of(*shared), .text = [shared](int columns) {
                return text_of(*shared, columns);
            }};
}

Report histogram_report(const std::string& name, const Image& image, const Histogram& histogram,
                        std::vector<ChannelCounts> counts) {
    std::vector<Statistics> statistics;
    for (const ChannelCounts& counted : counts) {
        statistics.push_back(measure(image, counted.channel, histogram.luma));
    }
    return histogram_report(name, image.form(), histogram, std::move(counts), statistics);
}

} // namespace glproc
