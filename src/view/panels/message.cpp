#include "view/panels/message.hpp"

#include "view/panels/theme.hpp"

#include <algorithm>

#include <imgui.h>

namespace glproc::view {

void Message::tell(const std::string& text, bool is_fault) {
    text_ = text;
    is_fault_ = is_fault;
    since_ = ImGui::GetTime();
}

std::optional<double> Message::left() const {
    const double seconds = is_fault_ ? 15 : 6;
    return text_.empty() ? std::nullopt : std::optional(std::max(0.0, since_ + seconds - ImGui::GetTime()));
}

void Message::show(const std::string& fault, Point2 corner, Point2 size) {
    fault_ = fault;
    closed_ = fault.empty() ? "" : closed_;
    if (left() == 0) {
        text_.clear();
    }
    const bool has_fault = !fault.empty() && fault != closed_;
    const std::string& text = has_fault ? fault_ : text_;
    if (text.empty()) {
        return;
    }
    const float pad = scaled_pixels(10);
    const float cross = scaled_pixels(12);
    const float wrap = std::max(scaled_pixels(60), static_cast<float>(size.x) - 6 * pad - cross);
    const ImVec2 room = ImGui::CalcTextSize(text.c_str(), nullptr, false, wrap);
    const ImVec2 at{static_cast<float>(corner.x) + 2 * pad,
                    static_cast<float>(corner.y + size.y) - room.y - 3 * pad};
    const ImVec2 first = at - pad;
    const ImVec2 last{at.x + room.x + 3 * pad + cross, at.y + room.y + pad};
    ImDrawList& draw = *ImGui::GetWindowDrawList();
    draw.AddRectFilled(first, last, ImGui::GetColorU32(theme::popup), scaled_pixels(5));
    draw.AddRectFilled(first, {first.x + scaled_pixels(3), last.y},
                       ImGui::GetColorU32(has_fault || is_fault_ ? theme::fault : theme::good),
                       scaled_pixels(5), ImDrawFlags_RoundCornersLeft);
    draw.AddText(nullptr, 0, at, ImGui::GetColorU32(theme::text), text.c_str(), nullptr, wrap);
    const ImVec2 begin{at.x + room.x + 2 * pad, at.y + (ImGui::GetTextLineHeight() - cross) / 2};
    const bool is_over = ImGui::IsMouseHoveringRect(first, {begin.x + cross + pad, last.y});
    const ImU32 colour = ImGui::GetColorU32(is_over ? theme::text : theme::dim);
    const float thick = scaled_pixels(1.6F);
    draw.AddLine({begin.x + 1, begin.y + 1}, {begin.x + cross - 1, begin.y + cross - 1}, colour, thick);
    draw.AddLine({begin.x + 1, begin.y + cross - 1}, {begin.x + cross - 1, begin.y + 1}, colour, thick);
    cross_ = {begin.x + cross / 2, begin.y + cross / 2};
    if (is_over && ImGui::IsMouseClicked(ImGuiMouseButton_Left)) {
        close();
    }
}

void Message::close() {
    closed_ = fault_;
    text_.clear();
}

} // namespace glproc::view
