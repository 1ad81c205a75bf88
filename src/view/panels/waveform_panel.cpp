#include "view/panels/waveform_panel.hpp"

#include "view/panels/theme.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include <fmt/format.h>
#include <glad/gl.h>
#include <imgui.h>

namespace glproc::view {

namespace {

Handle<TextureName> texture_of(const Waveform& waveform) {
    const std::vector<std::uint8_t> pixels = picture_of(waveform);
    unsigned id = 0;
    glGenTextures(1, &id);
    Handle<TextureName> texture(id);
    glBindTexture(GL_TEXTURE_2D, id);
    glTexStorage2D(GL_TEXTURE_2D, 1, GL_RGBA8, waveform.columns(), Waveform::levels);
    glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, waveform.columns(), Waveform::levels, GL_RGBA, GL_UNSIGNED_BYTE,
                    pixels.data());
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
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
    draw.AddRectFilled(at, {at.x + size.x, at.y + size.y}, IM_COL32_BLACK, scaled_pixels(5));
    if (waveform == nullptr) {
        return;
    }
    if (drawn_ != waveform) {
        texture_ = texture_of(*waveform);
        drawn_ = waveform;
    }
    const float margin = scaled_pixels(6);
    const ImVec2 first{at.x + margin, at.y + margin};
    const ImVec2 last{at.x + size.x - margin, at.y + size.y - margin};
    draw.AddImage(reinterpret_cast<ImTextureID>(static_cast<std::uintptr_t>(texture_.get())), first, last);
    for (int i = 0; i <= 4; ++i) {
        const float y = std::round(first.y + (last.y - first.y) * static_cast<float>(i) / 4);
        draw.AddLine({first.x, y}, {last.x, y}, ImGui::GetColorU32(rgb(0xffffff, 0.18F)));
    }
    if (ImGui::IsItemHovered()) {
        const float share = std::clamp((last.y - ImGui::GetIO().MousePos.y) / (last.y - first.y), 0.0F, 1.0F);
        ImGui::SetTooltip("%s", fmt::format("{:.0f} % of white. From left to right as in the image", 100 * share).c_str());
    }
}

} // namespace glproc::view
