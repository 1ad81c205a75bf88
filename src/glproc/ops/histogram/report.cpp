#include "glproc/ops/histogram/report.hpp"

#include "glproc/ops/histogram/measured.hpp"

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
    Interval range; ///< in the picture's own unit: codes of integers, values of floats
    std::size_t bins = 0;
    std::size_t terminal_rows = 0;
    std::vector<ChannelReport> channels;

    bool is_float() const { return depth == Depth::f32; }
    std::uint64_t pixels() const {
        return static_cast<std::uint64_t>(width) * static_cast<std::uint64_t>(height);
    }
    /// Pixels of alpha 0, whose colours are not counted.
    std::uint64_t hidden(const ChannelReport& channel) const {
        return pixels() - pixels_in(channel.counted) - channel.counted.outside - channel.counted.nan;
    }
    /// The lower edge of part `part` of `parts`; of part `parts`, the upper end of the range.
    double edge(std::size_t part, std::size_t parts) const {
        const double length = range.high - range.low;
        return part == parts ? range.high
                             : range.low + length * static_cast<double>(part) / static_cast<double>(parts);
    }
};

Value number(std::uint64_t value) {
    return {static_cast<std::int64_t>(value)};
}

Value channel_tree(const ChannelReport& channel, Depth depth, std::uint64_t hidden) {
    Value::List counts;
    counts.reserve(channel.counted.counts.size());
    for (const std::uint64_t count : channel.counted.counts) {
        counts.push_back(number(count));
    }
    Value::Object tree{{"name", {std::string(name_of(channel.counted.channel))}},
                       {"counts", {std::move(counts)}}};
    if (depth == Depth::f32) {
        tree.push_back({"outside", number(channel.counted.outside)});
        tree.push_back({"nan", number(channel.counted.nan)});
    }
    if (hidden > 0) {
        tree.push_back({"hidden", number(hidden)});
    }
    const Statistics& s = channel.statistics;
    tree.insert(tree.end(), {{"min", pixel_value(s.min, depth)},
                             {"max", pixel_value(s.max, depth)},
                             {"mean", pixel_value(s.mean, depth)},
                             {"stddev", pixel_value(s.stddev, depth)},
                             {"median", pixel_value(s.median, depth)}});
    return {std::move(tree)};
}

Value tree_of(const Facts& facts) {
    Value::List channels;
    for (const ChannelReport& channel : facts.channels) {
        channels.push_back(channel_tree(channel, facts.depth, facts.hidden(channel)));
    }
    return {Value::Object{{"schema", {"glproc.histogram/2"}},
                          {"input", {facts.input}},
                          {"width", {std::int64_t{facts.width}}},
                          {"height", {std::int64_t{facts.height}}},
                          {"depth", {std::int64_t{static_cast<int>(facts.depth)}}},
                          {"pixels", number(facts.pixels())},
                          {"bins", number(facts.bins)},
                          {"range",
                           {Value::List{pixel_value(facts.range.low, facts.depth),
                                        pixel_value(facts.range.high, facts.depth)}}},
                          {"channels", {std::move(channels)}}}};
}

std::string csv_of(const Facts& facts) {
    std::string csv = "bin,lo,hi";
    for (const ChannelReport& channel : facts.channels) {
        csv += fmt::format(",{}", name_of(channel.counted.channel));
    }
    csv += '\n';
    for (std::size_t bin = 0; bin < facts.bins; ++bin) {
        csv += fmt::format("{},{},{}", bin, facts.edge(bin, facts.bins), facts.edge(bin + 1, facts.bins));
        for (const ChannelReport& channel : facts.channels) {
            csv += fmt::format(",{}", channel.counted.counts[bin]);
        }
        csv += '\n';
    }
    return csv;
}

/// Digits of the edges in text: six, or as many as keep neighbours apart.
int edge_digits(const Facts& facts, std::size_t parts) {
    const double largest = std::max(std::abs(facts.range.low), std::abs(facts.range.high));
    const double width = (facts.range.high - facts.range.low) / static_cast<double>(parts);
    return std::clamp(static_cast<int>(std::floor(std::log10(largest / width))) + 3, 6, 17);
}

/// Texts of one column, padded to the widest.
class Column {
  public:
    void add(std::string text) {
        width_ = std::max(width_, text.size());
        texts_.push_back(std::move(text));
    }
    std::string left(std::size_t row) const { return fmt::format("{:<{}}", texts_[row], width_); }
    std::string right(std::size_t row) const { return fmt::format("{:>{}}", texts_[row], width_); }

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

/// "128", or "8-15" of a row that several codes share; empty where a bin is not one code.
std::string codes_text(const Facts& facts, std::size_t row, std::size_t rows) {
    if (facts.is_float() || static_cast<double>(facts.bins) != max_code(facts.depth) + 1) {
        return {};
    }
    const std::size_t codes = facts.bins / rows;
    return codes == 1 ? fmt::format("{}", row) : fmt::format("{}-{}", row * codes, (row + 1) * codes - 1);
}

/// Of bins, or of rows that some bins share: "[0, 63.75)       2  25.0%  ####".
std::string row_lines(const Facts& facts, const std::vector<std::uint64_t>& counts, int columns) {
    const std::uint64_t highest = *std::max_element(counts.begin(), counts.end());
    const int digits = edge_digits(facts, counts.size());
    Column intervals;
    Column numbers;
    Column shares;
    for (std::size_t row = 0; row < counts.size(); ++row) {
        const std::string codes = codes_text(facts, row, counts.size());
        intervals.add(codes.empty() ? fmt::format("[{:.{}g}, {:.{}g}{}", facts.edge(row, counts.size()),
                                                  digits, facts.edge(row + 1, counts.size()), digits,
                                                  row + 1 == counts.size() ? ']' : ')')
                                    : codes);
        numbers.add(fmt::format("{}", counts[row]));
        const double percent = 100.0 * static_cast<double>(counts[row]) / static_cast<double>(facts.pixels());
        shares.add(fmt::format("{:.1f}%", percent));
    }
    std::string lines;
    for (std::size_t row = 0; row < counts.size(); ++row) {
        const std::string line = fmt::format("{}  {}  {}  {}", intervals.left(row), numbers.right(row),
                                             shares.right(row), bar(counts[row], highest, columns));
        lines += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
    }
    return lines;
}

/// `rows` sums of neighbours, where that many divide the counts evenly: bins that are each a whole part of a
/// wider one count the same pixels.
std::vector<std::uint64_t> merged(const std::vector<std::uint64_t>& counts, std::size_t rows) {
    if (rows == 0 || rows >= counts.size() || counts.size() % rows != 0) {
        return counts;
    }
    std::vector<std::uint64_t> sums(rows);
    for (std::size_t bin = 0; bin < counts.size(); ++bin) {
        sums[bin / (counts.size() / rows)] += counts[bin];
    }
    return sums;
}

/// n/a if it is undefined (only NaN, or infinities).
std::string figure(double value) {
    return std::isnan(value) ? "n/a" : fmt::format("{:.7g}", value);
}

/// Of codes, which lie far apart, and of floats, which may all be small.
std::string mean_figure(double value, bool is_float) {
    constexpr double least = 0.001; // six decimals show enough above
    const bool is_small = is_float && value != 0 && std::abs(value) < least;
    return std::isnan(value) || is_small ? figure(value) : fmt::format("{:.{}f}", value, is_float ? 6 : 3);
}

std::string channel_text(const Facts& facts, const ChannelReport& channel, const TextShape& shape) {
    const auto [min, max, mean, stddev, median] = channel.statistics;
    std::string text = fmt::format("{}  {}x{}  {}-bit{}  {}\n", facts.input, facts.width, facts.height,
                                   static_cast<int>(facts.depth), facts.is_float() ? " float" : "",
                                   name_of(channel.counted.channel));
    const std::size_t rows = shape.terminal ? facts.terminal_rows : 0;
    text += row_lines(facts, merged(channel.counted.counts, rows), shape.columns);
    if (facts.is_float()) {
        text += fmt::format("outside {}  nan {}\n", channel.counted.outside, channel.counted.nan);
    }
    if (const std::uint64_t hidden = facts.hidden(channel); hidden > 0) {
        text += fmt::format("hidden {}\n", hidden);
    }
    return text + fmt::format("min {}  max {}  mean {}  stddev {}  median {}\n", figure(min), figure(max),
                              mean_figure(mean, facts.is_float()), mean_figure(stddev, facts.is_float()),
                              figure(median));
}

/// One block for each channel.
std::string text_of(const Facts& facts, const TextShape& shape) {
    std::string text;
    for (const ChannelReport& channel : facts.channels) {
        text += text.empty() ? "" : "\n";
        text += channel_text(facts, channel, shape);
    }
    return text;
}

} // namespace

Report histogram_report(const std::string& name, const Form& image, const Histogram& histogram,
                        std::vector<ChannelCounts> counts, const std::vector<Statistics>& statistics,
                        int terminal_rows) {
    Facts facts{.input = name,
                .width = image.width,
                .height = image.height,
                .depth = image.depth,
                .range = image.depth == Depth::f32 ? histogram.range : Interval{0, max_code(image.depth)},
                .bins = static_cast<std::size_t>(histogram.bins),
                .terminal_rows = static_cast<std::size_t>(terminal_rows),
                .channels = {}};
    for (std::size_t i = 0; i < counts.size(); ++i) {
        facts.channels.push_back({std::move(counts[i]), statistics[i]});
    }
    const auto shared = std::make_shared<const Facts>(std::move(facts));
    return {.tree = tree_of(*shared), .csv = csv_of(*shared), .text = [shared](const TextShape& shape) {
                return text_of(*shared, shape);
            }};
}

Report histogram_report(const std::string& name, const Image& image, const Histogram& histogram,
                        std::vector<ChannelCounts> counts, int terminal_rows) {
    std::vector<Statistics> statistics;
    for (const ChannelCounts& counted : counts) {
        statistics.push_back(measure(image, counted.channel, histogram.luma, histogram.hidden));
    }
    return histogram_report(name, image.form(), histogram, std::move(counts), statistics, terminal_rows);
}

} // namespace glproc
