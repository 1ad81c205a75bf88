#include "view/histogram_panel.hpp"

#include "view/theme.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

#include <fmt/format.h>
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
void explain_bin(const std::vector<ChannelCounts>& channels, const ImVec2& at, const ImVec2& size) {
    const auto bins = static_cast<float>(channels.front().counts.size());
    const auto bin = static_cast<std::size_t>(
        std::clamp((ImGui::GetIO().MousePos.x - at.x) / size.x * bins, 0.0F, bins - 1));
    ImGui::BeginTooltip();
    ImGui::TextUnformatted(fmt::format("bin {} of {}", bin, channels.front().counts.size()).c_str());
    for (const ChannelCounts& channel : channels) {
        const ImVec4 colour = colour_of(static_cast<std::size_t>(channel.channel));
        ImGui::TextColored(colour, "%s",
                           fmt::format("{:<5} {}", name_of(channel.channel), channel.counts[bin]).c_str());
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

void HistogramPanel::show(const std::vector<ChannelCounts>* channels, float height) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const ImVec2 size{ImGui::GetContentRegionAvail().x, height};
    ImDrawList& draw = *ImGui::GetWindowDrawList();
    draw.AddRectFilled(at, {at.x + size.x, at.y + size.y}, ImGui::GetColorU32(theme::background),
                       scaled_pixels(5));
    for (int i = 1; i < 4; ++i) {
        const float x = std::round(at.x + size.x * static_cast<float>(i) / 4);
        draw.AddLine({x, at.y}, {x, at.y + size.y},
                     ImGui::GetColorU32(ImVec4{theme::dim.x, theme::dim.y, theme::dim.z, 0.2F}));
    }
    ImGui::Dummy(size);
    if (channels != nullptr && !channels->empty()) {
        const double top = top_count(*channels);
        const float margin = scaled_pixels(6);
        const ImVec2 inner{at.x + margin, at.y + margin};
        const ImVec2 room{size.x - 2 * margin, size.y - 2 * margin};
        for (const ChannelCounts& channel : *channels) {
            const auto index = static_cast<std::size_t>(channel.channel);
            if (shown_[index]) {
                draw_channel(draw, inner, room, column_heights(channel.counts, top, logarithmic_),
                             colour_of(index), index == 0);
            }
        }
        if (ImGui::IsItemHovered()) {
            explain_bin(*channels, inner, room);
        }
    }
    const std::array<const char*, 4> names{"luma", "r", "g", "b"};
    for (std::size_t i = 0; i < names.size(); ++i) {
        ImGui::PushStyleColor(ImGuiCol_Text, shown_[i] ? colour_of(i) : theme::dim);
        ImGui::PushStyleColor(ImGuiCol_Button, shown_[i] ? theme::control : theme::panel);
        if (ImGui::SmallButton(names[i])) {
            shown_[i] = !shown_[i];
        }
        ImGui::PopStyleColor(2);
        ImGui::SameLine();
    }
    const char* scale = logarithmic_ ? "logarithmic" : "linear";
    ImGui::SameLine(ImGui::GetWindowContentRegionMax().x - ImGui::CalcTextSize(scale).x -
                    2 * ImGui::GetStyle().FramePadding.x);
    if (ImGui::SmallButton(scale)) {
        switch_scale();
    }
}

} // namespace glproc::view
