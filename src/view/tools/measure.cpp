#include "view/tools/measure.hpp"

#include "glproc/base/counted.hpp"
#include "view/panels/theme.hpp"
#include "view/tools/part.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include <fmt/format.h>

namespace glproc::view {

std::vector<ChannelFigures> figures_of(const Image& image) {
    std::vector<ChannelFigures> figures;
    for (int c = 0; c < image.channels(); ++c) {
        ChannelFigures channel{.least = std::numeric_limits<double>::infinity(),
                               .most = -std::numeric_limits<double>::infinity()};
        double count = 0;
        double squares = 0; // of the distances from the mean, as Welford adds them up
        for (int y = 0; y < image.height(); ++y) {
            for (int x = 0; x < image.width(); ++x) {
                const double value = image.at(x, y, c);
                if (std::isnan(value)) {
                    continue;
                }
                const double far = value - channel.mean;
                channel.mean += far / ++count;
                squares += far * (value - channel.mean);
                channel.least = std::min(channel.least, value);
                channel.most = std::max(channel.most, value);
            }
        }
        channel.deviation = count > 0 ? std::sqrt(squares / count) : 0;
        if (count == 0) {
            channel.least = channel.most = 0;
        }
        figures.push_back(channel);
    }
    return figures;
}

std::vector<std::vector<double>> values_along(const Image& image, Point2 from, Point2 to) {
    const int steps =
        static_cast<int>(std::lround(std::max(std::abs(to.x - from.x), std::abs(to.y - from.y))));
    std::vector<std::vector<double>> rows;
    for (int i = 0; i <= steps; ++i) {
        const double share = steps > 0 ? static_cast<double>(i) / steps : 0;
        const auto at = [&](double a, double b, int most) {
            return std::clamp(static_cast<int>(std::floor(a + (b - a) * share)), 0, most - 1);
        };
        std::vector<double> values;
        for (int c = 0; c < image.channels(); ++c) {
            values.push_back(image.at(at(from.x, to.x, image.width()), at(from.y, to.y, image.height()), c));
        }
        rows.push_back(std::move(values));
    }
    return rows;
}

namespace {

const std::array<ImVec4, 4> channel_colours{rgb(0xe0655c), rgb(0x6fc072), rgb(0x5b93e6), rgb(0xaab2bd)};

const char* channel_name(int channels, std::size_t channel) {
    constexpr std::array names{"r", "g", "b", "a"};
    return channels < 3 ? (channel == 0 ? "grey" : "a") : names.at(channel);
}

} // namespace

/// From where the button went down to where the pointer is.
bool Measure::drag(const Pointer& pointer) {
    if (pointer.is_pressed) {
        is_dragged_ = true;
        from_ = pointer.at;
    }
    if (is_dragged_) {
        to_ = pointer.at;
        is_there_ = true;
    }
    is_dragged_ = is_dragged_ && ImGui::IsMouseDown(ImGuiMouseButton_Left);
    return true;
}

/// The part of the result between two pixels of it, as far as its image shows it.
std::optional<Image> Measure::part(Point2& from, Point2& to) {
    const GpuImage& image = *all_.news.result.image;
    const double x = static_cast<double>(image.width()) / all_.news.result.form.width;
    const double y = static_cast<double>(image.height()) / all_.news.result.form.height;
    const auto inside = [&](Point2 at) { // the middle of the pixel, which is measured as well
        return Point2{std::clamp(std::floor(at.x * x), 0.0, image.width() - 1.0) + 0.5,
                      std::clamp(std::floor(at.y * y), 0.0, image.height() - 1.0) + 0.5};
    };
    from = inside(from_);
    to = inside(to_);
    const Rect part = spanned(from, to, image.width(), image.height());
    constexpr double most_pixels = 4e6; // that are read while a person waits
    if (static_cast<double>(part.width) * part.height > most_pixels && is_dragged_) {
        return std::nullopt;
    }
    from = {from.x - part.x, from.y - part.y};
    to = {to.x - part.x, to.y - part.y};
    return all_.canvas.part(image, part.x, part.y, part.width, part.height);
}

/// What was measured, until the picture or the region is another one.
void Measure::update() {
    const ToolKind kind = all_.held->kind;
    const std::tuple of{kind, from_, to_, all_.news.result.image};
    if (measured_ == of) {
        return;
    }
    Point2 from;
    Point2 to;
    if (const std::optional<Image> read = part(from, to)) {
        measured_ = of;
        region_ = kind == ToolKind::region ? figures_of(*read) : std::vector<ChannelFigures>();
        line_ = kind == ToolKind::line ? values_along(*read, from, to) : std::vector<std::vector<double>>();
    }
}

std::string Measure::region_text() const {
    const bool is_float = all_.news.result.form.depth == Depth::f32;
    const Rect part = spanned({std::floor(from_.x) + 0.5, std::floor(from_.y) + 0.5},
                              {std::floor(to_.x) + 0.5, std::floor(to_.y) + 0.5}, all_.news.result.form.width,
                              all_.news.result.form.height);
    std::string text = fmt::format("{}, {}: {} x {}", part.x, part.y, part.width, part.height);
    for (std::size_t c = 0; c < region_.size(); ++c) {
        const ChannelFigures& of = region_[c];
        const int digits = is_float ? 4 : 2;
        const int whole = is_float ? 4 : 0;
        text += fmt::format("\n{}  mean {:.{}f}  sd {:.{}f}  min {:.{}f}  max {:.{}f}",
                            channel_name(static_cast<int>(region_.size()), c), of.mean, digits, of.deviation,
                            digits, of.least, whole, of.most, whole);
    }
    return text;
}

void Measure::draw() {
    if (!is_there_ || all_.news.result.image == nullptr) {
        return;
    }
    update();
    ImDrawList& draw = *ImGui::GetWindowDrawList();
    const ImU32 colour = ImGui::GetColorU32(theme::selected_object);
    const ImVec2 a = all_.on_screen(from_);
    const ImVec2 b = all_.on_screen(to_);
    if (all_.held->kind == ToolKind::line) {
        draw.AddLine(a, b, colour, scaled_pixels(1.5F));
        return draw_profile();
    }
    draw.AddRect({std::min(a.x, b.x), std::min(a.y, b.y)}, {std::max(a.x, b.x), std::max(a.y, b.y)}, colour,
                 0, 0, scaled_pixels(1.5F));
    const float pad = scaled_pixels(6);
    draw_words(all_.inset(2 * pad, scaled_pixels(44)), region_text(), pad, theme::popup, theme::text);
}

/// The values along the line, from its beginning at the left.
void Measure::draw_profile() const {
    if (line_.size() < 2) {
        return;
    }
    ImDrawList& draw = *ImGui::GetWindowDrawList();
    const float pad = scaled_pixels(8);
    const ImVec2 size{std::min(static_cast<float>(all_.area_size.x) - 4 * pad, scaled_pixels(420)),
                      scaled_pixels(120)};
    const ImVec2 at = all_.inset(2 * pad, scaled_pixels(44));
    draw.AddRectFilled(at - pad, at + size + pad, ImGui::GetColorU32(theme::popup), pad);
    const std::size_t channels = std::min(line_.front().size(), std::size_t{4});
    double low = 0;
    double high = all_.news.result.form.depth == Depth::f32 ? 1 : max_code(all_.news.result.form.depth);
    for (const std::vector<double>& values : line_) {
        for (const double value : values) {
            low = std::isfinite(value) ? std::min(low, value) : low;
            high = std::isfinite(value) ? std::max(high, value) : high;
        }
    }
    for (std::size_t c = 0; c < channels; ++c) {
        std::vector<ImVec2> points;
        for (std::size_t i = 0; i < line_.size(); ++i) {
            const double share = std::isfinite(line_[i][c]) ? (line_[i][c] - low) / (high - low) : 0;
            points.push_back({at.x + size.x * static_cast<float>(i) / static_cast<float>(line_.size() - 1),
                              at.y + size.y * static_cast<float>(1 - share)});
        }
        const bool is_grey = channels < 3 || c == 3;
        draw.AddPolyline(points.data(), static_cast<int>(points.size()),
                         ImGui::GetColorU32(is_grey ? channel_colours[3] : channel_colours.at(c)), 0,
                         scaled_pixels(1.4F));
    }
    const std::string text = fmt::format("{}, {:g} to {:g}", counted(line_.size(), "pixel"), low, high);
    draw.AddText({at.x, at.y - pad / 2}, ImGui::GetColorU32(theme::dim), text.c_str());
}

} // namespace glproc::view
