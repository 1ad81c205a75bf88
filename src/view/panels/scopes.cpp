#include "view/panels/scopes.hpp"

#include "view/panels/theme.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <type_traits>

#include <fmt/format.h>
#include <glad/gl.h>
#include <imgui.h>

namespace glproc::view {

namespace {

/// Of luma, red, green and blue.
ImVec4 colour_of(std::size_t channel) {
    const std::array<ImVec4, 4> colours{theme::text, theme::red, theme::green, theme::blue};
    return colours.at(channel);
}

void draw_channel(ImDrawList& draw, const ImVec2& at, const ImVec2& size, const std::vector<float>& heights,
                  const ImVec4& colour, bool filled) {
    std::vector<ImVec2> line;
    const float column = size.x / static_cast<float>(heights.size());
    for (std::size_t i = 0; i < heights.size(); ++i) {
        const float x = at.x + column * static_cast<float>(i);
        const float y = at.y + size.y * (1 - heights[i]);
        if (filled) {
            draw.AddRectFilled({x, y}, {x + column, at.y + size.y}, ImGui::GetColorU32(rgb(0xaab2bd, 0.22F)));
        }
        line.push_back({x + column / 2, y});
    }
    draw.AddPolyline(line.data(), static_cast<int>(line.size()), ImGui::GetColorU32(colour), 0,
                     scaled_pixels(1.2F));
}

/// The bin under the pointer, and what it holds.
void explain_bin(const std::vector<ChannelCounts>& channels, bool is_colour, const ImVec2& at,
                 const ImVec2& size) {
    const auto bins = static_cast<float>(channels.front().counts.size());
    const auto bin = static_cast<std::size_t>(
        std::clamp((ImGui::GetIO().MousePos.x - at.x) / size.x * bins, 0.0F, bins - 1));
    ImGui::BeginTooltip();
    ImGui::TextUnformatted(fmt::format("bin {} of {}", bin, channels.front().counts.size()).c_str());
    for (const ChannelCounts& channel : channels) {
        const auto index = static_cast<std::size_t>(channel.channel);
        if (index == 0 || is_colour) {
            ImGui::TextColored(
                colour_of(index), "%s",
                fmt::format("{:<5} {}", name_of(channel.channel), channel.counts[bin]).c_str());
        }
    }
    ImGui::EndTooltip();
}

} // namespace

std::vector<float> column_heights(const std::vector<std::uint64_t>& counts, double largest,
                                  bool logarithmic) {
    std::vector<float> heights(counts.size());
    std::transform(counts.begin(), counts.end(), heights.begin(), [&](std::uint64_t count) {
        const auto n = static_cast<double>(count);
        const double share = logarithmic ? std::log1p(n) / std::log1p(largest) : n / largest;
        return static_cast<float>(std::clamp(share, 0.0, 1.0));
    });
    return heights;
}

double top_count(const std::vector<ChannelCounts>& channels) {
    double top = 1;
    for (const ChannelCounts& channel : channels) {
        std::vector<std::uint64_t> falling = channel.counts;
        if (falling.empty()) {
            continue;
        }
        const std::size_t towers = std::min<std::size_t>(falling.size() - 1, 4);
        const auto after_towers = falling.begin() + static_cast<std::ptrdiff_t>(towers);
        std::nth_element(falling.begin(), after_towers, falling.end(), std::greater<>());
        const auto common = static_cast<double>(*after_towers);
        const auto largest = static_cast<double>(*std::max_element(falling.begin(), falling.end()));
        top = std::max(top, largest > 3 * common && common > 0 ? 1.5 * common : largest);
    }
    return top;
}

void draw_counts(const ImVec2& corner, const ImVec2& size, const std::vector<ChannelCounts>* counts,
                 const ImVec4& colour) {
    ImDrawList& draw = *ImGui::GetWindowDrawList();
    draw.AddRectFilled(corner, corner + size, ImGui::GetColorU32(theme::background), scaled_pixels(3));
    if (counts == nullptr || counts->empty()) {
        return;
    }
    const std::vector<float> heights = column_heights(counts->front().counts, top_count(*counts), false);
    const float column = size.x / static_cast<float>(heights.size());
    for (std::size_t i = 0; i < heights.size(); ++i) {
        const float x = corner.x + column * static_cast<float>(i);
        draw.AddRectFilled({x, corner.y + size.y * (1 - heights[i])}, {x + column, corner.y + size.y},
                           ImGui::GetColorU32(colour));
    }
}

ClippedCounts clipped_in(const std::vector<ChannelCounts>& channels) {
    ClippedCounts clipped;
    for (const ChannelCounts& channel : channels) {
        const auto index = static_cast<std::size_t>(channel.channel); // luma first
        if (index == 0 && !channel.counts.empty()) {
            clipped.black = channel.counts.front();
        } else if (index <= clipped.white.size() && !channel.counts.empty()) {
            clipped.white.at(index - 1) = channel.counts.back() + channel.outside;
        }
    }
    return clipped;
}

namespace {

/// In an upper corner of the histogram, lit where pixels are clipped at that end.
void lamp(const char* id, const ImVec2& tip, float towards, bool is_lit, const ImVec4& colour,
          const std::string& hint, bool& marks_clipped) {
    const float side = scaled_pixels(12);
    const ImVec2 before = ImGui::GetCursorScreenPos();
    ImGui::SetCursorScreenPos({std::min(tip.x, tip.x + towards * side), tip.y});
    if (ImGui::InvisibleButton(id, {side, side})) {
        marks_clipped = !marks_clipped;
    }
    explain(hint + "\nClick: mark them in the image  X");
    ImDrawList& draw = *ImGui::GetWindowDrawList();
    const ImVec2 across{tip.x + towards * side, tip.y};
    const ImVec2 down{tip.x, tip.y + side};
    if (is_lit) {
        draw.AddTriangleFilled(tip, across, down, ImGui::GetColorU32(colour));
    }
    draw.AddTriangle(tip, across, down, ImGui::GetColorU32(marks_clipped ? theme::text : theme::dim),
                     scaled_pixels(1));
    ImGui::SetCursorScreenPos(before);
}

void show_lamps(const std::vector<ChannelCounts>& channels, const ImVec2& at, const ImVec2& size,
                bool& marks_clipped) {
    const ClippedCounts clipped = clipped_in(channels);
    const auto& [r, g, b] = clipped.white;
    const float inset = scaled_pixels(3);
    lamp("black", at + inset, 1, clipped.black > 0, rgb(0x2659ff), fmt::format("At black: {}", clipped.black),
         marks_clipped); // the colours that mark them
    lamp("white", {at.x + size.x - inset, at.y + inset}, -1, r + g + b > 0, rgb(0xff2626),
         r == g && g == b ? fmt::format("At white: {}", r)
                          : fmt::format("At white: r {}, g {}, b {}", r, g, b),
         marks_clipped);
}

} // namespace

void HistogramPanel::show_switches(bool has_counts, bool is_colour) {
    const std::array<const char*, 4> names{"luma", "r", "g", "b"};
    for (std::size_t i = 0; i < names.size(); ++i) {
        ImGui::BeginDisabled(!has_counts || (i > 0 && !is_colour));
        ImGui::PushStyleColor(ImGuiCol_Text, shown_[i] ? colour_of(i) : theme::dim);
        ImGui::PushStyleColor(ImGuiCol_Button, shown_[i] ? theme::control : theme::panel);
        if (ImGui::SmallButton(names[i])) {
            shown_[i] = !shown_[i];
        }
        ImGui::PopStyleColor(2);
        ImGui::EndDisabled();
        ImGui::SameLine();
    }
    const char* scale = "log";
    ImGui::SameLine(ImGui::GetWindowContentRegionMax().x - ImGui::CalcTextSize(scale).x -
                    2 * ImGui::GetStyle().FramePadding.x);
    ImGui::BeginDisabled(!has_counts);
    if (small_switch_button(scale, logarithmic_)) {
        switch_scale();
    }
    ImGui::EndDisabled();
    explain(logarithmic_ ? "Counts are logarithmic. Click: linear  L"
                         : "Counts are linear. Click: logarithmic, which shows few pixels, too  L");
}

void HistogramPanel::show(const std::vector<ChannelCounts>* channels, bool is_colour, bool& marks_clipped,
                          float height) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const ImVec2 size{ImGui::GetContentRegionAvail().x, height};
    ImDrawList& draw = *ImGui::GetWindowDrawList();
    draw.AddRectFilled(at, at + size, ImGui::GetColorU32(theme::background), scaled_pixels(5));
    draw_grid(at, at + size, 4, 1, faded(theme::dim, 0.2F), true);
    ImGui::Dummy(size);
    const bool has_counts = channels != nullptr && !channels->empty();
    if (has_counts) {
        const bool is_over = ImGui::IsItemHovered();
        const double top = top_count(*channels);
        const float margin = scaled_pixels(6);
        const ImVec2 inner = at + margin;
        const ImVec2 room{size.x - 2 * margin, size.y - 2 * margin};
        for (const ChannelCounts& channel : *channels) {
            const auto index = static_cast<std::size_t>(channel.channel);
            if (shown_[index] && (index == 0 || is_colour)) {
                draw_channel(draw, inner, room, column_heights(channel.counts, top, logarithmic_),
                             colour_of(index), index == 0);
            }
        }
        show_lamps(*channels, at, size, marks_clipped);
        if (is_over && !ImGui::IsAnyItemHovered()) {
            explain_bin(*channels, is_colour, inner, room);
        }
    }
    show_switches(has_counts, is_colour);
}

namespace {

/// Nothing for what is not a number.
template <class T>
int level_of(T value) {
    if constexpr (std::is_floating_point_v<T>) {
        return std::isnan(value) ? -1 : static_cast<int>(std::lround(std::clamp(value, T{0}, T{1}) * 255));
    } else {
        constexpr int full = std::numeric_limits<T>::max();
        return (static_cast<int>(value) * 255 + full / 2) / full;
    }
}

} // namespace

Waveform::Waveform(const Image& image)
    : columns_(std::min(image.width(), most_columns)), channels_(image.channels() < 3 ? 1 : 3),
      strip_pixels_(static_cast<double>(image.height()) * image.width() / columns_),
      counts_(static_cast<std::size_t>(channels_) * static_cast<std::size_t>(columns_) * levels) {
    switch (image.depth()) {
    case Depth::u8:
        count<std::uint8_t>(image);
        break;
    case Depth::u16:
        count<std::uint16_t>(image);
        break;
    case Depth::f32:
        count<float>(image);
        break;
    }
}

template <class T>
void Waveform::count(const Image& image) {
    std::vector<int> column_of(static_cast<std::size_t>(image.width()));
    for (std::size_t x = 0; x < column_of.size(); ++x) {
        column_of[x] = static_cast<int>(x * static_cast<std::size_t>(columns_) / column_of.size());
    }
    const auto values = image.values<T>();
    auto value = values.begin();
    for (int y = 0; y < image.height(); ++y) {
        for (const int column : column_of) {
            for (int channel = 0; channel < channels_; ++channel) {
                if (const int level = level_of(value[channel]); level >= 0) {
                    ++counts_[at(channel, column, level)];
                }
            }
            value += image.channels();
        }
    }
}

std::vector<std::uint8_t> picture_of(const Waveform& waveform) {
    const int width = waveform.columns();
    std::vector<std::uint8_t> pixels(static_cast<std::size_t>(width) * Waveform::levels * 4);
    // A strip is brightest at a level that a 32nd of its pixels have: even tones are lines, noise is a cloud.
    const double full = std::max(waveform.strip_pixels() / 32, 1.0);
    auto pixel = pixels.begin();
    for (int level = Waveform::levels - 1; level >= 0; --level) {
        for (int column = 0; column < width; ++column, pixel += 4) {
            const auto light = [&](int channel) {
                const int from = waveform.channels() == 1 ? 0 : channel;
                const double share = std::sqrt(waveform.count(from, column, level) / full);
                return static_cast<std::uint8_t>(std::lround(255 * std::min(share, 1.0)));
            };
            for (int channel = 0; channel < 3; ++channel) {
                pixel[channel] = light(channel);
            }
            pixel[3] = 255;
        }
    }
    return pixels;
}

namespace {

Handle<TextureName> texture_of(const Waveform& waveform) {
    const std::vector<std::uint8_t> pixels = picture_of(waveform);
    Handle<TextureName> texture =
        made_texture(GL_TEXTURE_2D, GL_RGBA8, waveform.columns(), Waveform::levels, 0, GL_LINEAR);
    glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, waveform.columns(), Waveform::levels, GL_RGBA, GL_UNSIGNED_BYTE,
                    pixels.data());
    glBindTexture(GL_TEXTURE_2D, 0);
    return texture;
}

} // namespace

void WaveformPanel::show(const std::shared_ptr<const Waveform>& waveform, float height) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const ImVec2 size{ImGui::GetContentRegionAvail().x, height};
    ImGui::Dummy(size);
    // Light adds up on black, whatever the colours of the window.
    ImDrawList& draw = *ImGui::GetWindowDrawList();
    draw.AddRectFilled(at, at + size, IM_COL32_BLACK, scaled_pixels(5));
    if (waveform == nullptr) {
        return;
    }
    if (drawn_ != waveform) {
        texture_ = texture_of(*waveform);
        drawn_ = waveform;
    }
    const float margin = scaled_pixels(6);
    const ImVec2 first = at + margin;
    const ImVec2 last{at.x + size.x - margin, at.y + size.y - margin};
    draw.AddImage(reinterpret_cast<ImTextureID>(static_cast<std::uintptr_t>(texture_.get())), first, last);
    for (int i = 0; i <= 4; ++i) {
        const float y = std::round(first.y + (last.y - first.y) * static_cast<float>(i) / 4);
        draw.AddLine({first.x, y}, {last.x, y}, ImGui::GetColorU32(rgb(0xffffff, 0.18F)));
    }
    const float share = std::clamp((last.y - ImGui::GetIO().MousePos.y) / (last.y - first.y), 0.0F, 1.0F);
    explain(fmt::format("{:.0f} % of white. From left to right as in the image", 100 * share));
}

} // namespace glproc::view
