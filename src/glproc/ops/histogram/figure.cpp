#include "glproc/ops/histogram/figure.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace glproc {

namespace {

/// 1, 2 or 5 times a power of ten: the smallest with at most `parts` steps in `length`.
double nice_step(double length, int parts) {
    const double least = length / parts;
    const double power = std::pow(10, std::floor(std::log10(least)));
    for (const double factor : {1.0, 2.0, 5.0}) {
        if (factor * power >= least * (1 - 1e-9)) {
            return factor * power;
        }
    }
    return 10 * power;
}

/// "250", "1.5k", "20M".
std::string count_text(double count) {
    return count >= 1e9   ? fmt::format("{:g}G", count / 1e9)
           : count >= 1e6 ? fmt::format("{:g}M", count / 1e6)
           : count >= 1e4 ? fmt::format("{:g}k", count / 1e3)
                          : fmt::format("{:g}", count);
}

/// Values along an axis of floats.
std::vector<double> value_steps(const Interval& range, int parts) {
    const double step = nice_step(range.high - range.low, parts);
    std::vector<double> values;
    for (double n = std::ceil(range.low / step - 1e-9); n * step <= range.high + 1e-9 * step; ++n) {
        values.push_back(n == 0 ? 0.0 : n * step);
    }
    return values;
}

/// Codes along an axis: powers of two apart, and the last.
std::vector<double> code_steps(double last, int parts) {
    const double step = (last + 1) / std::exp2(std::floor(std::log2(parts)));
    std::vector<double> codes;
    for (double code = 0; code < last - step / 2; code += step) {
        codes.push_back(code);
    }
    codes.push_back(last);
    return codes;
}

std::vector<FigureTick> x_ticks(const FigureContent& content, const Figure& figure) {
    const bool floats = content.image.depth == Depth::f32;
    const Interval range = floats ? content.histogram.range : Interval{0, max_code(content.image.depth)};
    const int parts = std::clamp(static_cast<int>(figure.area.width / (5 * figure.text_size)), 2, 8);
    std::vector<FigureTick> ticks;
    for (const double value : floats ? value_steps(range, parts) : code_steps(range.high, parts)) {
        const double share = (value - range.low) / (range.high - range.low);
        ticks.push_back({figure.corner[0] + share * figure.area.width, fmt::format("{:.6g}", value)});
    }
    return ticks;
}

/// Counts that get a tick, up to the largest.
std::vector<double> counts_with_ticks(double largest, bool logarithmic, int parts) {
    std::vector<double> counts;
    if (logarithmic) {
        const double decades = std::max(1.0, std::ceil(std::log10(largest) / parts));
        for (double power = 0; std::pow(10, power) <= largest; power += decades) {
            counts.push_back(std::pow(10, power));
        }
        return counts;
    }
    const double step = std::max(1.0, nice_step(largest, parts)); // counts are whole
    for (double n = 0; n * step <= largest; ++n) {
        counts.push_back(n * step);
    }
    return counts;
}

/// The height of a count, from 0 to 1 for the count `largest`.
double share_of(double count, double largest, bool logarithmic) {
    return logarithmic ? (std::log2(count) + 1) / (std::log2(largest) + 1) : count / largest;
}

/// A little air above the highest column.
constexpr double filled = 0.96;

std::vector<FigureTick> y_ticks(const FigureContent& content, const Figure& figure, double largest) {
    const int parts = std::clamp(static_cast<int>(figure.area.height / (2.6 * figure.text_size)), 2, 6);
    const double height = filled * figure.area.height;
    std::vector<FigureTick> ticks;
    if (content.scale == PlotScale::each) {
        for (const int percent : {0, 25, 50, 75, 100}) {
            ticks.push_back({figure.bottom() - height * percent / 100, fmt::format("{}%", percent)});
        }
        return ticks;
    }
    for (const double count : counts_with_ticks(largest, content.logarithmic, parts)) {
        ticks.push_back(
            {figure.bottom() - height * share_of(count, largest, content.logarithmic), count_text(count)});
    }
    return ticks;
}

std::string y_label(const FigureContent& content) {
    return content.scale == PlotScale::each ? "part of the channel's largest bin"
           : content.logarithmic            ? "pixels per bin, logarithmic"
                                            : "pixels per bin";
}

std::string x_label(const Form& image) {
    return image.depth == Depth::f32 ? "value" : fmt::format("{}-bit value", static_cast<int>(image.depth));
}

void add_channels(const FigureContent& content, Figure& figure, double largest) {
    for (std::size_t i = 0; i < content.largest.size(); ++i) {
        const double most = content.scale == PlotScale::each ? double(content.largest[i]) : largest;
        const double length = content.logarithmic ? std::log2(most) + 1 : most;
        figure.channels.push_back({content.histogram.channels[i],
                                   content.largest[i] == 0 ? 0 : filled * figure.area.height / length});
    }
}

} // namespace

Figure lay_out(const FigureContent& content, const PixelSize& size) {
    if (size.width < least_figure.width || size.height < least_figure.height) {
        throw Error(
            ErrorCode::usage,
            fmt::format("a plot of {}x{} pixels has no room for axes and labels", size.width, size.height),
            fmt::format("ask for {}x{} or more, or for --plot-style columns, which has none", least_figure.width,
                        least_figure.height));
    }
    Figure figure;
    figure.size = size;
    figure.logarithmic = content.logarithmic;
    figure.text_size = 12 * std::clamp(std::min(size.width / 640.0, size.height / 400.0), 0.85, 8.0);
    const double text = figure.text_size;
    const int top = static_cast<int>(2.6 * text);
    figure.corner = {0, top};
    figure.area = {0, size.height - top - static_cast<int>(3.9 * text)};

    const double largest =
        static_cast<double>(*std::max_element(content.largest.begin(), content.largest.end()));
    figure.y_ticks = y_ticks(content, figure, std::max(largest, 1.0));
    double widest = 0;
    for (const FigureTick& tick : figure.y_ticks) {
        widest = std::max(widest, text_width(tick.label, text));
    }
    const int left = static_cast<int>(std::ceil(widest + (figure_margin + figure_label_gap) * text));
    figure.corner[0] = left;
    figure.area.width = size.width - left - static_cast<int>(1.9 * text);
    figure.x_ticks = x_ticks(content, figure);
    figure.x_label = x_label(content.image);
    figure.y_label = y_label(content);
    add_channels(content, figure, largest);
    return figure;
}

std::array<double, 3> figure_colour(HistogramChannel channel) {
    switch (channel) {
    case HistogramChannel::red:
        return {214, 72, 79};
    case HistogramChannel::green:
        return {58, 158, 93};
    case HistogramChannel::blue:
        return {58, 110, 190};
    case HistogramChannel::alpha:
        return {222, 148, 46};
    case HistogramChannel::luma:
        break;
    }
    return {118, 118, 118};
}

} // namespace glproc
