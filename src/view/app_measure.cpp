// Regions and lines that are measured in the result.
#include "view/app.hpp"

#include "glproc/base/counted.hpp"
#include "view/panels/theme.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <imgui.h>

namespace glproc::view {

namespace {

const std::array<ImVec4, 4> channel_colours{rgb(0xe0655c), rgb(0x6fc072), rgb(0x5b93e6), rgb(0xaab2bd)};

const char* channel_name(int channels, std::size_t channel) {
    constexpr std::array names{"r", "g", "b", "a"};
    return channels < 3 ? (channel == 0 ? "grey" : "a") : names.at(channel);
}

} // namespace

/// From where the button went down to where the pointer is.
void App::measure(Point2 at, bool is_pressed) {
    if (is_pressed) {
        measures_now_ = true;
        measured_from_ = at;
    }
    if (measures_now_) {
        measured_to_ = at;
        has_measured_ = true;
    }
    measures_now_ = measures_now_ && ImGui::IsMouseDown(ImGuiMouseButton_Left);
}

/// The part of the result between two pixels of it, as far as `image` shows it.
std::optional<Image> App::measured_part(Point2& from, Point2& to) {
    if (!has_measured_ || news_.result.image == nullptr) {
        return std::nullopt;
    }
    const GpuImage& image = *news_.result.image;
    const double x = static_cast<double>(image.width()) / news_.result.form.width;
    const double y = static_cast<double>(image.height()) / news_.result.form.height;
    const auto inside = [&](Point2 at) { // the middle of the pixel, which is measured as well
        return Point2{std::clamp(std::floor(at.x * x), 0.0, image.width() - 1.0) + 0.5,
                      std::clamp(std::floor(at.y * y), 0.0, image.height() - 1.0) + 0.5};
    };
    from = inside(measured_from_);
    to = inside(measured_to_);
    const Part part = spanned(from, to, image.width(), image.height());
    constexpr double most_pixels = 4e6; // that are read while a person waits
    if (static_cast<double>(part.width) * part.height > most_pixels && measures_now_) {
        return std::nullopt;
    }
    from = {from.x - part.x, from.y - part.y};
    to = {to.x - part.x, to.y - part.y};
    return canvas_.part(image, part.x, part.y, part.width, part.height);
}

/// What was measured, until the picture or the region is another one.
void App::update_measures() {
    const Measured of{tool_->kind, measured_from_, measured_to_, news_.result.image};
    if (measured_ == of) {
        return;
    }
    Point2 from;
    Point2 to;
    if (const std::optional<Image> part = measured_part(from, to)) {
        measured_ = of;
        region_ = tool_->kind == ToolKind::region ? figures_of(*part) : std::vector<ChannelFigures>();
        line_ = tool_->kind == ToolKind::line ? values_along(*part, from, to)
                                              : std::vector<std::vector<double>>();
    }
}

std::string App::region_text() const {
    const bool is_float = news_.result.form.depth == Depth::f32;
    const Part part = spanned({std::floor(measured_from_.x) + 0.5, std::floor(measured_from_.y) + 0.5},
                              {std::floor(measured_to_.x) + 0.5, std::floor(measured_to_.y) + 0.5},
                              news_.result.form.width, news_.result.form.height);
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

void App::draw_measure() {
    if (!has_measured_ || news_.result.image == nullptr) {
        return;
    }
    update_measures();
    ImDrawList& draw = *ImGui::GetWindowDrawList();
    const ImU32 colour = ImGui::GetColorU32(theme::selected_object);
    const ImVec2 a = on_screen(measured_from_);
    const ImVec2 b = on_screen(measured_to_);
    if (tool_->kind == ToolKind::line) {
        draw.AddLine(a, b, colour, scaled_pixels(1.5F));
        return draw_profile();
    }
    draw.AddRect({std::min(a.x, b.x), std::min(a.y, b.y)}, {std::max(a.x, b.x), std::max(a.y, b.y)}, colour,
                 0, 0, scaled_pixels(1.5F));
    const std::string text = region_text();
    const float pad = scaled_pixels(6);
    const ImVec2 size = ImGui::CalcTextSize(text.c_str());
    const ImVec2 at{static_cast<float>(area_.x) + 2 * pad, static_cast<float>(area_.y) + scaled_pixels(44)};
    draw.AddRectFilled({at.x - pad, at.y - pad}, {at.x + size.x + pad, at.y + size.y + pad},
                       ImGui::GetColorU32(theme::popup), pad);
    draw.AddText(at, ImGui::GetColorU32(theme::text), text.c_str());
}

/// The values along the line, from its beginning at the left.
void App::draw_profile() const {
    if (line_.size() < 2) {
        return;
    }
    ImDrawList& draw = *ImGui::GetWindowDrawList();
    const float pad = scaled_pixels(8);
    const ImVec2 size{std::min(static_cast<float>(area_size_.x) - 4 * pad, scaled_pixels(420)),
                      scaled_pixels(120)};
    const ImVec2 at{static_cast<float>(area_.x) + 2 * pad, static_cast<float>(area_.y) + scaled_pixels(44)};
    draw.AddRectFilled({at.x - pad, at.y - pad}, {at.x + size.x + pad, at.y + size.y + pad},
                       ImGui::GetColorU32(theme::popup), pad);
    const std::size_t channels = std::min(line_.front().size(), std::size_t{4});
    double low = 0;
    double high = news_.result.form.depth == Depth::f32 ? 1 : max_code(news_.result.form.depth);
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
