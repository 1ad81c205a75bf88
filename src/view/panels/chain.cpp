#include "view/panels/chain.hpp"

#include "cli/commands.hpp"
#include "view/keys.hpp"
#include "view/panels/levels.hpp"
#include "view/panels/theme.hpp"

#include <algorithm>
#include <cctype>
#include <vector>

#include <imgui.h>
#include <imgui_internal.h>
#include <imgui_stdlib.h>

namespace glproc::view {

namespace {

constexpr const char* list_name = "operations";
constexpr const char* dragged_step = "step"; // for ImGui

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
    std::ranges::transform(text, text.begin(),
                           [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return text;
}

/// How well an operation is what a person types: 3 if its name begins so, 2 if it has it, 1 if its summary
/// does.
int match(const OpInfo& op, const std::string& search) {
    const std::string wanted = lower(search);
    int best = lower(op.summary).find(wanted) != std::string::npos ? 1 : 0;
    const auto look = [&](const std::string& name) {
        best = std::max(best, name.starts_with(wanted) ? 3 : name.find(wanted) != std::string::npos ? 2 : 0);
    };
    look(op.name);
    std::ranges::for_each(op.aliases, look);
    return best;
}

/// The operations that match, as they are listed.
std::vector<ListedOperation> found(const std::string& search) {
    std::vector<ListedOperation> all;
    for (const ListedOperation& listed : listed_operations()) {
        if (cli::find_command(listed.info->name, cli::pipe_steps()) != nullptr &&
            match(*listed.info, search) > 0) {
            all.push_back(listed);
        }
    }
    return all;
}

/// What Enter takes: the first of those that match best.
const OpInfo* best_of(const std::vector<ListedOperation>& all, const std::string& search) {
    const auto best = std::ranges::max_element(
        all, {}, [&](const ListedOperation& one) { return match(*one.info, search); });
    return best == all.end() ? nullptr : best->info;
}

/// Under their headings, `best` lit; the one that is clicked, or null.
const OpInfo* show_found(const std::vector<ListedOperation>& all, const OpInfo* best) {
    const OpInfo* chosen = nullptr;
    std::string_view heading;
    for (const ListedOperation& listed : all) {
        const OpInfo& op = *listed.info;
        if (listed.heading != heading) {
            heading = listed.heading;
            ImGui::Dummy({0, scaled_pixels(2)});
            ImGui::TextColored(heading_colour(heading_of(op)), "%s", std::string(heading).c_str());
        }
        if (ImGui::Selectable(op.name.c_str(), &op == best)) {
            chosen = &op;
        }
        ImGui::SameLine(scaled_pixels(110));
        const bool is_whole = ImGui::CalcTextSize(op.summary.c_str()).x <= ImGui::GetContentRegionAvail().x;
        ImGui::TextColored(theme::dim, "%s", op.summary.c_str());
        explain(is_whole ? "" : op.summary);
    }
    if (all.empty()) {
        ImGui::TextDisabled("No operation has that name");
    }
    return chosen;
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
        draw.AddRectFilled(at, at + size, ImGui::GetColorU32(theme::control_hovered), scaled_pixels(3));
    }
    if (sign == Sign::cross) {
        draw.AddLine(middle - r, middle + r, colour, thick);
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

/// The name, which folds the card at a click and moves it when it is dragged to another.
void ChainPanel::show_title(const Step& step, std::size_t at) {
    const float height = ImGui::GetFrameHeight();
    const float arrow = ImGui::GetFontSize();
    const float width = arrow + ImGui::CalcTextSize(step.op->name.c_str()).x + scaled_pixels(4);
    const ImVec2 corner = ImGui::GetCursorScreenPos();
    if (ImGui::InvisibleButton("name", {width, height})) {
        folded_.contains(step.id) ? void(folded_.erase(step.id)) : void(folded_.insert(step.id));
    }
    const bool is_lit = ImGui::IsItemHovered() || ImGui::IsItemFocused();
    explain(step.op->summary + "\nClick: fold. Drag: move.");
    if (ImGui::BeginDragDropSource(ImGuiDragDropFlags_SourceNoPreviewTooltip)) {
        ImGui::SetDragDropPayload(dragged_step, &at, sizeof at);
        ImGui::EndDragDropSource();
    }
    const ImVec4 colour = step.on ? heading_colour(heading_of(*step.op)) : theme::dim;
    ImDrawList& draw = *ImGui::GetWindowDrawList();
    const float r = arrow * 0.22F;
    const ImVec2 middle{corner.x + arrow * 0.4F, corner.y + height / 2};
    const ImU32 dim = ImGui::GetColorU32(is_lit ? theme::text : theme::dim);
    folded_.contains(step.id)
        ? draw.AddTriangleFilled({middle.x - r, middle.y - 1.4F * r}, {middle.x + r, middle.y},
                                 {middle.x - r, middle.y + 1.4F * r}, dim)
        : draw.AddTriangleFilled({middle.x - 1.4F * r, middle.y - r}, {middle.x + 1.4F * r, middle.y - r},
                                 {middle.x, middle.y + r}, dim);
    draw.AddText({corner.x + arrow, corner.y + ImGui::GetStyle().FramePadding.y}, ImGui::GetColorU32(colour),
                 step.op->name.c_str());
}

/// Another card is let go over this one.
void ChainPanel::take_dragged(const ImVec2& first, const ImVec2& last, std::size_t at) {
    if (ImGui::BeginDragDropTargetCustom({first, last}, ImGui::GetID("card"))) {
        if (const ImGuiPayload* from = ImGui::AcceptDragDropPayload(dragged_step)) {
            moved_ = std::pair(*static_cast<const std::size_t*>(from->Data), at);
        }
        ImGui::EndDragDropTarget();
    }
}

/// False where the step is gone.
bool ChainPanel::show_header(Document& document, std::size_t at) {
    const Step& step = document.steps()[at];
    bool on = step.on;
    if (ImGui::Checkbox("##on", &on)) {
        document.switch_step(at, on);
    }
    explain(on ? "Switch off" : "Switch on");
    ImGui::SameLine();
    show_title(step, at);
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

/// The parameters, and what is wrong with them.
void ChainPanel::show_body(Workspace& all, std::size_t at) {
    Document& document = all.document;
    const int id = document.steps()[at].id;
    const OpInfo& op = *document.steps()[at].op;
    const auto known = all.news.inputs.find(id);
    const std::vector<ChannelCounts>* const counts =
        known == all.news.inputs.end() ? nullptr : known->second.get();
    if (has_levels(op)) {
        edit_levels(all, at, counts);
    }
    show_fields(all, at, counts, advanced_.contains(id));
    if (std::ranges::any_of(op.fields, [&](const FieldInfo& field) { return is_advanced(op, field); })) {
        if (ImGui::SmallButton(advanced_.contains(id) ? "fewer" : "advanced ...")) {
            advanced_.contains(id) ? void(advanced_.erase(id)) : void(advanced_.insert(id));
        }
    }
    const std::string fault =
        without_dashes(fault_of(document.steps()[at], document.form_before(at).value_or(any_picture)));
    if (!fault.empty()) {
        ImGui::PushTextWrapPos(ImGui::GetWindowContentRegionMax().x - card_inset());
        ImGui::TextColored(theme::fault, "%s", fault.c_str());
        ImGui::PopTextWrapPos();
    }
}

void ChainPanel::show_card(Workspace& all, std::size_t at) {
    Document& document = all.document;
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
    if (is_there && document.steps()[at].on && !folded_.contains(document.steps()[at].id)) {
        show_body(all, at);
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
    take_dragged(begin, {begin.x + width, bottom}, at);
    ImGui::PopID();
}

void ChainPanel::ask_for_operation() {
    asks_ = true;
    frames_ = 0;
}

/// What a new step is wanted for is mostly done with its handle, if it has one for a value that it begins
/// with.
void ChainPanel::add(Workspace& all, const OpInfo& op) {
    all.document.add(op);
    scrolls_ = 2;
    const Step& step = all.document.steps().back();
    const std::optional<Held> handle = handle_of(step);
    all.held = handle && step.given.contains(handle->field) ? handle : std::nullopt;
}

void ChainPanel::show_list(Workspace& all) {
    const ImVec2 screen = ImGui::GetMainViewport()->Size;
    const float margin = scaled_pixels(20);
    ImGui::SetNextWindowSize(
        {std::min(scaled_pixels(600), screen.x - margin), std::min(scaled_pixels(520), screen.y - margin)});
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
    const std::vector<ListedOperation> listed = found(search_);
    const OpInfo* const best = best_of(listed, search_);
    ImGui::PushStyleColor(ImGuiCol_ChildBg, rgb(0, 0));
    ImGui::BeginChild("found", {0, 0}, false, ImGuiWindowFlags_NavFlattened);
    const OpInfo* const clicked = show_found(listed, search_.empty() ? nullptr : best);
    ImGui::EndChild();
    ImGui::PopStyleColor();
    if (const OpInfo* const chosen = entered ? best : clicked; chosen != nullptr) {
        add(all, *chosen);
        ImGui::CloseCurrentPopup();
    }
    if (is_key_pressed(escape_key)) { // also what is typed goes with it
        ImGui::CloseCurrentPopup();
    }
    ImGui::EndPopup();
}

/// The cards scroll; what is below them stays in sight. A scroll bar has its room where there is none, too:
/// sliders keep their length.
void ChainPanel::show_cards(Workspace& all) {
    Document& document = all.document;
    const float below = ImGui::GetFrameHeight() + ImGui::GetStyle().ItemSpacing.y;
    const float room = std::max(ImGui::GetContentRegionAvail().y - below, 1.0F);
    ImGui::SetNextWindowContentSize({ImGui::GetContentRegionAvail().x - ImGui::GetStyle().ScrollbarSize, 0});
    ImGui::BeginChild("cards", {0, std::clamp(cards_height_, 1.0F, room)}, false,
                      ImGuiWindowFlags_NavFlattened);
    for (std::size_t i = 0; i < document.steps().size(); ++i) {
        show_card(all, i);
    }
    if (moved_) {
        document.move(moved_->first, moved_->second);
        moved_.reset();
    }
    if (document.steps().empty()) {
        ImGui::PushTextWrapPos(0);
        ImGui::TextDisabled("%s",
                            all.has_picture() ? "No operations yet." : "Open an image or a video first.");
        ImGui::PopTextWrapPos();
    }
    if (scrolls_ > 0) {
        --scrolls_;
        ImGui::SetScrollHereY(1);
    }
    cards_height_ = ImGui::GetCursorPosY();
    ImGui::EndChild();
}

void ChainPanel::show(Workspace& all) {
    show_cards(all);
    if (ImGui::Button("Add operation",
                      {ImGui::GetContentRegionAvail().x - ImGui::GetStyle().ScrollbarSize, 0})) {
        ask_for_operation();
    }
    frames_ = std::min(frames_ + 1, frames_to_focus);
    if (asks_) {
        asks_ = false;
        ImGui::OpenPopup(list_name);
    }
    show_list(all);
}

} // namespace glproc::view
