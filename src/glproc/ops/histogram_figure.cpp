#include "glproc/ops/histogram_figure.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace glproc {

namespace {

constexpr double tick_length = 0.4; // these three of the text's size
constexpr double label_gap = 0.75;
constexpr double margin = 0.9;

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

/// The height of a count, of 0 to 1 where `largest` is 1.
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

std::string_view legend_name(HistogramChannel channel) {
    switch (channel) {
    case HistogramChannel::red:
        return "red";
    case HistogramChannel::green:
        return "green";
    case HistogramChannel::blue:
        return "blue";
    case HistogramChannel::alpha:
        return "alpha";
    case HistogramChannel::luma:
        break;
    }
    return "luma";
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
            fmt::format("ask for {}x{} or more, or for --plot-style seed, which has none", least_figure.width,
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
    const int left = static_cast<int>(std::ceil(widest + (margin + label_gap) * text));
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

namespace {

/// A text and where it goes: `x` is its start, middle or end.
struct Label {
    std::string text;
    Point at;
    double anchor = 0; ///< 0 start, 0.5 middle, 1 end
};

/// A square of the legend with its channel.
struct Swatch {
    HistogramChannel channel;
    Point corner;
    double side = 0;
};

struct Legend {
    std::vector<Swatch> swatches;
    std::vector<Label> labels;
};

/// At the top right, from right to left.
Legend legend_of(const Figure& figure) {
    Legend legend;
    const double text = figure.text_size;
    const double base = figure.corner[1] - label_gap * text;
    double right = figure.right();
    for (auto channel = figure.channels.rbegin(); channel != figure.channels.rend(); ++channel) {
        const std::string name(legend_name(channel->channel));
        right -= text_width(name, text);
        legend.labels.push_back({name, {right, base}, 0});
        const double side = std::round(capital_height * text);
        right -= side + 0.4 * text;
        legend.swatches.push_back(
            {channel->channel, {std::round(right), std::round(base - capital_height * text)}, side});
        right -= 1.2 * text;
    }
    return legend;
}

std::vector<Label> labels_of(const Figure& figure) {
    const double text = figure.text_size;
    const Legend legend = legend_of(figure);
    std::vector<Label> labels = legend.labels;
    const double y_label_end = margin * text + text_width(figure.y_label, text);
    if (legend.swatches.empty() || y_label_end + text < legend.swatches.back().corner.x) {
        labels.push_back({figure.y_label, {margin * text, figure.corner[1] - label_gap * text}, 0});
    }
    labels.push_back({figure.x_label,
                      {figure.corner[0] + figure.area.width / 2.0, figure.size.height - 0.85 * text},
                      0.5});
    for (const FigureTick& tick : figure.x_ticks) {
        labels.push_back(
            {tick.label, {tick.at, figure.bottom() + (tick_length + 0.35 + capital_height) * text}, 0.5});
    }
    for (const FigureTick& tick : figure.y_ticks) {
        labels.push_back(
            {tick.label, {figure.corner[0] - label_gap * text, tick.at + capital_height / 2 * text}, 1});
    }
    return labels;
}

struct Segment {
    Point from;
    Point to;
};

/// The frame and its ticks, in the middle of pixels so that lines of one pixel are sharp.
std::vector<Segment> frame_of(const Figure& figure) {
    const double left = figure.corner[0] - 0.5;
    const double top = figure.corner[1] - 0.5;
    const double right = figure.right() + 0.5;
    const double bottom = figure.bottom() + 0.5;
    std::vector<Segment> lines{{{left, top}, {right, top}},
                               {{right, top}, {right, bottom}},
                               {{right, bottom}, {left, bottom}},
                               {{left, bottom}, {left, top}}};
    const double length = tick_length * figure.text_size;
    for (const FigureTick& tick : figure.x_ticks) {
        const double x = std::clamp(std::floor(tick.at) + 0.5, left, right);
        lines.push_back({{x, bottom}, {x, bottom + length}});
    }
    for (const FigureTick& tick : figure.y_ticks) {
        const double y = std::clamp(std::floor(tick.at) + 0.5, top, bottom);
        lines.push_back({{left, y}, {left - length, y}});
    }
    return lines;
}

/// The lines under the columns.
std::vector<Segment> grid_of(const Figure& figure) {
    std::vector<Segment> lines;
    for (const FigureTick& tick : figure.y_ticks) {
        const double y = std::floor(tick.at) + 0.5;
        if (y < figure.bottom()) {
            lines.push_back({{double(figure.corner[0]), y}, {figure.right(), y}});
        }
    }
    return lines;
}

constexpr std::uint8_t paper = 255;
constexpr std::uint8_t grid_grey = 228;

void fill(Image& image, int x, int y, int width, int height, const std::array<std::uint8_t, 3>& colour) {
    for (int row = std::max(y, 0); row < std::min(y + height, image.height()); ++row) {
        for (int column = std::max(x, 0); column < std::min(x + width, image.width()); ++column) {
            std::copy(colour.begin(), colour.end(),
                      reinterpret_cast<std::uint8_t*>(image.row(row)) +
                          4 * static_cast<std::ptrdiff_t>(column));
        }
    }
}

/// A column's colour on paper.
std::array<std::uint8_t, 3> colour_on_paper(HistogramChannel channel) {
    std::array<std::uint8_t, 3> result{};
    const std::array<double, 3> colour = figure_colour(channel);
    std::transform(colour.begin(), colour.end(), result.begin(), [](double value) {
        return static_cast<std::uint8_t>(std::lround(paper + (value - paper) * fill_opacity));
    });
    return result;
}

std::array<std::uint8_t, 3> line_colour(HistogramChannel channel) {
    std::array<std::uint8_t, 3> result{};
    const std::array<double, 3> colour = figure_colour(channel);
    std::transform(colour.begin(), colour.end(), result.begin(), [](double value) {
        return static_cast<std::uint8_t>(std::lround(value * line_darkness));
    });
    return result;
}

void paint_swatch(Image& image, const Swatch& swatch) {
    const auto x = static_cast<int>(swatch.corner.x);
    const auto y = static_cast<int>(swatch.corner.y);
    const auto side = static_cast<int>(swatch.side);
    fill(image, x, y, side, side, line_colour(swatch.channel));
    fill(image, x + 1, y + 1, side - 2, side - 2, colour_on_paper(swatch.channel));
}

} // namespace

Image paint_frame(const Figure& figure) {
    Image image(figure.size.width, figure.size.height, 4, Depth::u8);
    fill(image, 0, 0, image.width(), image.height(), {paper, paper, paper});
    for (const Segment& line : grid_of(figure)) {
        fill(image, static_cast<int>(line.from.x), static_cast<int>(line.from.y), figure.area.width, 1,
             {grid_grey, grid_grey, grid_grey});
    }
    for (const Swatch& swatch : legend_of(figure).swatches) {
        paint_swatch(image, swatch);
    }
    Ink ink(image.width(), image.height());
    for (const Segment& line : frame_of(figure)) {
        ink.line(line.from, line.to, 0.5);
    }
    for (const Label& label : labels_of(figure)) {
        const double width = text_width(label.text, figure.text_size);
        ink.text(label.text, {label.at.x - label.anchor * width, label.at.y}, figure.text_size);
    }
    const auto values = image.values<std::uint8_t>();
    for (int y = 0; y < image.height(); ++y) {
        for (int x = 0; x < image.width(); ++x) {
            const auto pixel = static_cast<std::size_t>(y) * static_cast<std::size_t>(image.width()) +
                               static_cast<std::size_t>(x);
            values[4 * pixel + 3] = ink.at(x, y);
        }
    }
    return image;
}

namespace {

template <class Colour>
std::string rgb(const Colour& colour) {
    return fmt::format("rgb({},{},{})", colour[0], colour[1], colour[2]);
}

double height_of(const Figure& figure, const FigureChannel& channel, std::uint32_t count) {
    return count == 0 ? 0 : channel.scale * (figure.logarithmic ? std::log2(count) + 1 : count);
}

/// The outline of the columns, from the left end of the axis to the right.
std::string path_of(const Figure& figure, const FigureChannel& channel,
                    const std::vector<std::uint32_t>& counts) {
    std::string path = fmt::format("M{},{:g}", figure.corner[0], figure.bottom());
    double last = -1;
    for (std::size_t i = 0; i < counts.size(); ++i) {
        const double height = height_of(figure, channel, counts[i]);
        if (height != last) {
            const double x = figure.corner[0] + double(figure.area.width) * double(i) / double(counts.size());
            path += fmt::format("H{:.2f}V{:.2f}", x, figure.bottom() - height);
            last = height;
        }
    }
    return path + fmt::format("H{:g}V{:g}Z", figure.right(), figure.bottom());
}

std::string svg_line(const Segment& line) {
    return fmt::format("M{:g},{:g}L{:g},{:g}", line.from.x, line.from.y, line.to.x, line.to.y);
}

std::string svg_label(const Label& label) {
    const std::string_view anchor = label.anchor == 0 ? "start" : label.anchor == 1 ? "end" : "middle";
    return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\">{}</text>\n", label.at.x,
                       label.at.y, anchor, label.text);
}

std::string svg_swatch(const Swatch& swatch) {
    return fmt::format("<rect x=\"{:g}\" y=\"{:g}\" width=\"{:g}\" height=\"{:g}\" fill=\"{}\" "
                       "fill-opacity=\"{:g}\" stroke=\"{}\"/>\n",
                       swatch.corner.x + 0.5, swatch.corner.y + 0.5, swatch.side - 1, swatch.side - 1,
                       rgb(figure_colour(swatch.channel)), fill_opacity, rgb(line_colour(swatch.channel)));
}

} // namespace

std::string svg_of(const Figure& figure, const std::vector<std::vector<std::uint32_t>>& columns) {
    std::string grid;
    for (const Segment& line : grid_of(figure)) {
        grid += svg_line(line);
    }
    std::string frame;
    for (const Segment& line : frame_of(figure)) {
        frame += svg_line(line);
    }
    std::string text =
        fmt::format("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" "
                    "viewBox=\"0 0 {0} {1}\">\n<rect width=\"{0}\" height=\"{1}\" fill=\"#fff\"/>\n"
                    "<path d=\"{2}\" stroke=\"rgb({3},{3},{3})\"/>\n",
                    figure.size.width, figure.size.height, grid, grid_grey);
    for (std::size_t i = 0; i < figure.channels.size(); ++i) {
        const FigureChannel& channel = figure.channels[i];
        text += fmt::format("<path d=\"{}\" fill=\"{}\" fill-opacity=\"{:g}\" stroke=\"{}\" "
                            "stroke-opacity=\"{:g}\" stroke-linejoin=\"round\"/>\n",
                            path_of(figure, channel, columns[i]), rgb(figure_colour(channel.channel)),
                            fill_opacity, rgb(line_colour(channel.channel)), line_opacity);
    }
    text += fmt::format("<path d=\"{}\" stroke=\"#333\" fill=\"none\"/>\n", frame);
    for (const Swatch& swatch : legend_of(figure).swatches) {
        text += svg_swatch(swatch);
    }
    text += fmt::format("<g font-family=\"Helvetica,Arial,sans-serif\" font-size=\"{:g}\" fill=\"#333\">\n",
                        figure.text_size);
    for (const Label& label : labels_of(figure)) {
        text += svg_label(label);
    }
    return text + "</g>\n</svg>\n";
}

} // namespace glproc
