#include "glproc/ops/histogram/figure.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace glproc {

namespace {

constexpr double tick_length = 0.4; // of the text's size

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

/// A text and where it goes: `x` is its start, middle or end.
struct Label {
    std::string text;
    Position at;
    double anchor = 0; ///< 0 start, 0.5 middle, 1 end
};

/// A square of the legend with its channel.
struct Swatch {
    HistogramChannel channel;
    Position corner;
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
    const double base = figure.corner[1] - figure_label_gap * text;
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
    const double y_label_end = figure_margin * text + text_width(figure.y_label, text);
    if (legend.swatches.empty() || y_label_end + text < legend.swatches.back().corner.x) {
        labels.push_back(
            {figure.y_label, {figure_margin * text, figure.corner[1] - figure_label_gap * text}, 0});
    }
    labels.push_back({figure.x_label,
                      {figure.corner[0] + figure.area.width / 2.0, figure.size.height - 0.85 * text},
                      0.5});
    for (const FigureTick& tick : figure.x_ticks) {
        labels.push_back(
            {tick.label, {tick.at, figure.bottom() + (tick_length + 0.35 + capital_height) * text}, 0.5});
    }
    for (const FigureTick& tick : figure.y_ticks) {
        labels.push_back({tick.label,
                          {figure.corner[0] - figure_label_gap * text, tick.at + capital_height / 2 * text},
                          1});
    }
    return labels;
}

struct Segment {
    Position from;
    Position to;
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
