#include "view/chain_panel.hpp"

#include "cli/commands.hpp"
#include "view/controls.hpp"
#include "view/theme.hpp"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>
#include <imgui.h>
#include <imgui_stdlib.h>

namespace glproc::view {

namespace {

constexpr const char* list_name = "operations";

/// The number of the heading that the operation is listed under.
std::size_t heading_of(const OpInfo& op) {
    std::size_t heading = 0;
    std::string_view last;
    for (const ListedOperation& listed : listed_operations()) {
        heading += !last.empty() && listed.heading != last ? 1 : 0;
        last = listed.heading;
        if (listed.info->name == op.name) { // whatever it makes
            return heading;
        }
    }
    return heading;
}

std::string lower(std::string text) {
    std::transform(text.begin(), text.end(), text.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return text;
}

bool matches(const OpInfo& op, const std::string& search) {
    return lower(op.name + " " + op.summary).find(lower(search)) != std::string::npos;
}

/// A small button without a frame, with a sign drawn in it.
enum class Sign { up, down, cross };
bool sign_button(const char* id, Sign sign, bool enabled) {
    const float size = ImGui::GetFrameHeight() - scaled_pixels(4);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    ImGui::BeginDisabled(!enabled);
    const bool pressed = ImGui::InvisibleButton(id, {size, size});
    ImGui::EndDisabled();
    const bool lit = enabled && (ImGui::IsItemHovered() || ImGui::IsItemFocused());
    const ImU32 colour = ImGui::GetColorU32(!enabled ? theme::control : lit ? theme::text : theme::dim);
    const ImVec2 middle{at.x + size / 2, at.y + size / 2};
    const float r = size * 0.22F;
    const float thick = scaled_pixels(1.6F);
    ImDrawList& draw = *ImGui::GetWindowDrawList();
    if (lit) {
        draw.AddRectFilled(at, {at.x + size, at.y + size}, ImGui::GetColorU32(theme::control_hovered),
                           scaled_pixels(3));
    }
    if (sign == Sign::cross) {
        draw.AddLine({middle.x - r, middle.y - r}, {middle.x + r, middle.y + r}, colour, thick);
        draw.AddLine({middle.x - r, middle.y + r}, {middle.x + r, middle.y - r}, colour, thick);
    } else {
        const float d = sign == Sign::up ? -r : r;
        draw.AddLine({middle.x - r * 1.2F, middle.y - d * 0.5F}, {middle.x, middle.y + d * 0.7F}, colour,
                     thick);
        draw.AddLine({middle.x, middle.y + d * 0.7F}, {middle.x + r * 1.2F, middle.y - d * 0.5F}, colour,
                     thick);
    }
    return pressed && enabled;
}

} // namespace

/// False where the step is gone.
bool ChainPanel::show_header(Document& document, std::size_t at) {
    const Step& step = document.steps()[at];
    bool on = step.on;
    if (ImGui::Checkbox("##on", &on)) {
        document.switch_step(at, on);
    }
    if (ImGui::IsItemHovered()) {
        ImGui::SetTooltip(on ? "Switch off" : "Switch on");
    }
    ImGui::SameLine();
    ImGui::AlignTextToFramePadding();
    ImGui::PushStyleColor(ImGuiCol_Text, on ? heading_colour(heading_of(*step.op)) : theme::dim);
    ImGui::TextUnformatted(step.op->name.c_str());
    ImGui::PopStyleColor();
    if (ImGui::IsItemHovered()) {
        ImGui::SetTooltip("%s", step.op->summary.c_str());
    }
    const float size = ImGui::GetFrameHeight() - scaled_pixels(4);
    const float gap = scaled_pixels(2);
    ImGui::SameLine(ImGui::GetWindowContentRegionMax().x - 3 * size - 2 * gap - scaled_pixels(6));
    if (sign_button("up", Sign::up, at > 0)) {
        document.move(at, at - 1);
        return false;
    }
    ImGui::SameLine(0, gap);
    if (sign_button("down", Sign::down, at + 1 < document.steps().size())) {
        document.move(at, at + 1);
        return false;
    }
    ImGui::SameLine(0, gap);
    if (sign_button("remove", Sign::cross, true)) {
        document.remove(at);
        return false;
    }
    return true;
}

void ChainPanel::show_card(Document& document, std::size_t at) {
    ImGui::PushID(document.steps()[at].id);
    const ImVec2 begin = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x;
    ImDrawList& draw = *ImGui::GetWindowDrawList();
    draw.ChannelsSplit(2);
    draw.ChannelsSetCurrent(1);
    const ImVec4 colour =
        document.steps()[at].on ? heading_colour(heading_of(*document.steps()[at].op)) : theme::line;
    ImGui::Dummy({0, scaled_pixels(1)});
    ImGui::Indent(card_inset());
    const bool is_there = show_header(document, at);
    if (is_there && document.steps()[at].on) {
        show_fields(document, at);
        if (const std::string fault =
                fault_of(document.steps()[at], document.form_before(at).value_or(any_picture));
            !fault.empty()) {
            ImGui::PushStyleColor(ImGuiCol_Text, theme::fault);
            ImGui::PushTextWrapPos(ImGui::GetWindowContentRegionMax().x - card_inset());
            ImGui::TextUnformatted(fault.c_str());
            ImGui::PopTextWrapPos();
            ImGui::PopStyleColor();
        }
    }
    ImGui::Unindent(card_inset());
    ImGui::Dummy({0, scaled_pixels(1)});
    const float bottom = ImGui::GetCursorScreenPos().y - ImGui::GetStyle().ItemSpacing.y;
    draw.ChannelsSetCurrent(0);
    const float round = scaled_pixels(5);
    draw.AddRectFilled(begin, {begin.x + width, bottom}, ImGui::GetColorU32(theme::card), round);
    draw.AddRectFilled(begin, {begin.x + scaled_pixels(3), bottom}, ImGui::GetColorU32(colour), round,
                       ImDrawFlags_RoundCornersLeft);
    draw.ChannelsMerge();
    ImGui::PopID();
}

void ChainPanel::show_list(Document& document) {
    ImGui::SetNextWindowSizeConstraints({scaled_pixels(420), 0}, {scaled_pixels(420), scaled_pixels(520)});
    if (!ImGui::BeginPopup(list_name)) {
        return;
    }
    if (ImGui::IsWindowAppearing()) {
        search_.clear();
        ImGui::SetKeyboardFocusHere();
    }
    ImGui::SetNextItemWidth(-1);
    const bool entered = ImGui::InputTextWithHint("##search", "Search operations", &search_,
                                                  ImGuiInputTextFlags_EnterReturnsTrue);
    const OpInfo* chosen = nullptr;
    const OpInfo* first = nullptr;
    std::string_view heading;
    for (const ListedOperation& listed : listed_operations()) {
        const OpInfo& op = *listed.info;
        if (cli::find_command(op.name, cli::pipe_steps()) == nullptr || !matches(op, search_)) {
            continue;
        }
        if (listed.heading != heading) {
            heading = listed.heading;
            ImGui::Dummy({0, scaled_pixels(2)});
            ImGui::TextColored(heading_colour(heading_of(op)), "%s", std::string(heading).c_str());
        }
        first = first == nullptr ? &op : first;
        if (ImGui::Selectable(op.name.c_str(), false)) {
            chosen = &op;
        }
        ImGui::SameLine(scaled_pixels(110));
        ImGui::PushStyleColor(ImGuiCol_Text, theme::dim);
        ImGui::TextUnformatted(op.summary.c_str());
        ImGui::PopStyleColor();
        if (ImGui::IsItemHovered()) {
            ImGui::SetTooltip("%s", op.summary.c_str());
        }
    }
    if (first == nullptr) {
        ImGui::TextDisabled("No operation has that name");
    }
    chosen = entered && first != nullptr ? first : chosen;
    if (chosen != nullptr) {
        document.add(*chosen);
        ImGui::CloseCurrentPopup();
    }
    ImGui::EndPopup();
}

void ChainPanel::show(Document& document) {
    for (std::size_t i = 0; i < document.steps().size(); ++i) {
        show_card(document, i);
    }
    if (document.steps().empty()) {
        ImGui::PushTextWrapPos(0);
        ImGui::TextDisabled("No operations yet: this is the original image.");
        ImGui::PopTextWrapPos();
    }
    ImGui::Dummy({0, scaled_pixels(2)});
    if (ImGui::Button("Add operation", {ImGui::GetContentRegionAvail().x, 0})) {
        asks_ = true;
    }
    if (asks_) {
        asks_ = false;
        ImGui::OpenPopup(list_name);
    }
    show_list(document);
}

} // namespace glproc::view
