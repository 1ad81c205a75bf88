#include "view/panels/numbers.hpp"

#include "view/number_text.hpp"
#include "view/panels/theme.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <imgui.h>
#include <imgui_internal.h>

namespace glproc::view {

namespace {

/// Digits after the point that a step needs.
int digits_of(double step) {
    int digits = 0;
    for (double rest = step; digits < 6 && std::abs(rest - std::round(rest)) > 1e-6; rest *= 10) {
        ++digits;
    }
    return digits;
}

/// Beside the slider, where its grip cannot cover it.
void show_number(const std::string& number, float column) {
    ImGui::SameLine(0, 0);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const ImVec2 size = ImGui::CalcTextSize(number.c_str());
    ImGui::GetWindowDrawList()->AddText({at.x + column - size.x, at.y + ImGui::GetStyle().FramePadding.y},
                                        ImGui::GetColorU32(theme::text), number.c_str());
    ImGui::Dummy({column, ImGui::GetFrameHeight()});
}

/// One slider; true where it was moved, and `text` is then the new number.
bool slide(const char* id, std::string& text, const FieldInfo& field) {
    const double fallback = std::clamp(0.0, field.slider.low, field.slider.high);
    const bool is_set = !text.empty();
    auto value = static_cast<float>(number_at_start(text, fallback));
    const int digits = field.kind == FieldKind::whole ? 0 : digits_of(field.slider.step);
    const auto low = static_cast<float>(field.slider.low);
    const auto high = static_cast<float>(field.slider.high);
    const float width = ImGui::CalcItemWidth();
    const auto shown = [&](bool has_number) {
        return has_number ? fmt::format("{:.{}f}", value, digits) : "not set";
    };
    const float column = std::max(std::min(scaled_pixels(56), 0.45F * width),
                                  ImGui::CalcTextSize(shown(is_set).c_str()).x + scaled_pixels(4));
    ImGui::BeginGroup();
    ImGui::SetNextItemWidth(std::max(width - column, scaled_pixels(16)));
    // The slider's own number is seen where it is typed.
    const bool is_typed = ImGui::TempInputIsActive(ImGui::GetID(id));
    ImGui::PushStyleColor(ImGuiCol_Text, is_typed ? theme::text : rgb(0, 0));
    ImGui::PushStyleColor(ImGuiCol_SliderGrab, is_set ? theme::accent : rgb(0, 0));
    const bool is_moved = ImGui::SliderFloat(id, &value, low, high, fmt::format("%.{}f", digits).c_str(),
                                             ImGuiSliderFlags_NoRoundToFormat);
    ImGui::PopStyleColor(2);
    show_number(shown(is_set || is_moved), column);
    ImGui::EndGroup();
    if (!is_moved) {
        return false;
    }
    text = on_step(std::clamp(double(value), field.limit.low, field.limit.high), field);
    return true;
}

} // namespace

bool edit_numbers(std::string& text, const FieldInfo& field) {
    if (field.values == 1) {
        return slide("##value", text, field);
    }
    const std::size_t comma = text.find(',');
    bool apart = comma != std::string::npos;
    std::string x = text.substr(0, comma);
    std::string y = apart ? text.substr(comma + 1) : x;
    const float width = ImGui::CalcItemWidth();
    const float button = ImGui::GetFrameHeight();
    const float gap = ImGui::GetStyle().ItemInnerSpacing.x;
    bool changed = false;
    ImGui::SetNextItemWidth(apart ? (width - button - 2 * gap) / 2 : width - button - gap);
    changed = slide("##x", x, field) || changed;
    if (apart) {
        ImGui::SameLine(0, gap);
        ImGui::SetNextItemWidth((width - button - 2 * gap) / 2);
        changed = slide("##y", y, field) || changed;
    }
    ImGui::SameLine(0, gap);
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {0, ImGui::GetStyle().FramePadding.y});
    const bool is_pressed = ImGui::Button(apart ? "=" : "xy", {button, 0});
    ImGui::PopStyleVar();
    if (is_pressed && !x.empty()) {
        apart = !apart;
        changed = true;
        y = x;
    }
    explain(apart ? "The same value for both axes" : "A value for each axis");
    if (changed) {
        text = apart ? x + "," + y : x;
    }
    return changed;
}

bool edit_implied(std::string& text, const FieldInfo& field) {
    const float right = ImGui::GetCursorPosX() + ImGui::CalcItemWidth();
    bool is_on = !text.empty();
    const bool is_ticked = ImGui::Checkbox("##on", &is_on);
    if (is_ticked) {
        text = is_on ? field.implied : "";
    }
    if (!is_on) {
        return is_ticked;
    }
    ImGui::SameLine(0, ImGui::GetStyle().ItemInnerSpacing.x);
    ImGui::SetNextItemWidth(right - ImGui::GetCursorPosX());
    return slide("##value", text, field) || is_ticked;
}

std::string on_step(double value, const FieldInfo& field) {
    const double step = field.slider.step;
    const double whole = std::round(value / step) * step;
    return short_number(whole, field.kind == FieldKind::whole ? 0 : digits_of(step));
}

} // namespace glproc::view
