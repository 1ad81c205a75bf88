#include "view/panels/controls.hpp"

#include "view/panels/curve.hpp"
#include "view/panels/numbers.hpp"
#include "view/panels/theme.hpp"
#include "view/tools/handles.hpp"
#include "view/tools/second.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include <fmt/format.h>
#include <imgui.h>
#include <imgui_stdlib.h>

namespace glproc::view {

namespace {

bool edit_choice(std::string& text, const FieldInfo& field) {
    std::vector<std::string> names;
    std::vector<std::string> hints;
    for (const Choice& choice : field.choices) {
        names.push_back(choice.name);
        hints.push_back(choice.when);
    }
    return choose("##value", text.empty() ? "default" : text, text, names, hints);
}

/// The aspects of photos and screens; the text is empty for none.
bool edit_aspect(std::string& text) {
    const std::vector<std::string> usual{"free", "1:1", "3:2",  "2:3",  "4:3",   "3:4",
                                         "5:4",  "4:5", "16:9", "9:16", "2.39:1"};
    const std::string before = text.empty() ? usual.front() : text;
    text = before;
    choose("##value", before, text, usual);
    const bool is_changed = text != before;
    text = text == usual.front() ? "" : text;
    return is_changed;
}

/// Some of the choices, with commas in between.
bool edit_choices(std::string& text, const FieldInfo& field) {
    bool changed = false;
    if (!ImGui::BeginCombo("##value", text.c_str())) {
        return false;
    }
    std::string kept;
    for (const Choice& choice : field.choices) {
        bool is_in = fmt::format(",{},", text).find(fmt::format(",{},", choice.name)) != std::string::npos;
        changed = ImGui::Checkbox(choice.name.c_str(), &is_in) || changed;
        kept += is_in ? (kept.empty() ? "" : ",") + choice.name : "";
    }
    ImGui::EndCombo();
    changed = changed && !kept.empty();
    text = changed ? kept : text;
    return changed;
}

/// The values of a text that have names: of "clamp|mirror|constant[:V]" all before what is to be filled in.
std::vector<std::string> named_values(const FieldInfo& field) {
    std::vector<std::string> names;
    for (std::size_t at = 0; field.range.find('|') != std::string::npos && at <= field.range.size();) {
        const std::size_t end = std::min(field.range.find('|', at), field.range.size());
        const std::string part = field.range.substr(at, end - at);
        const std::string name = part.substr(0, part.find_first_of("[:"));
        if (!name.empty() &&
            std::ranges::all_of(name, [](char c) { return (c >= 'a' && c <= 'z') || c == '-'; })) {
            names.push_back(name);
        }
        at = end + 1;
    }
    return names;
}

/// A text counts when it is complete: Enter, or another control is chosen.
bool edit_text(std::string& text, const FieldInfo& field) {
    const std::vector<std::string> names = named_values(field);
    const float arrow = names.empty() ? 0 : ImGui::GetFrameHeight();
    ImGui::SetNextItemWidth(ImGui::CalcItemWidth() - arrow);
    ImGui::PushStyleColor(ImGuiCol_FrameBg, theme::panel);
    ImGui::PushStyleVar(ImGuiStyleVar_FrameBorderSize, 1);
    ImGui::InputTextWithHint("##value", field.value.c_str(), &text);
    ImGui::PopStyleVar();
    ImGui::PopStyleColor();
    const bool changed = ImGui::IsItemDeactivatedAfterEdit();
    if (names.empty()) {
        return changed;
    }
    ImGui::SameLine(0, 0);
    return choose("##names", "", text, names, {},
                  ImGuiComboFlags_NoPreview | ImGuiComboFlags_PopupAlignLeft) ||
           changed;
}

bool edit(std::string& text, const FieldInfo& field) {
    if (!field.implied.empty() && field.values == 1) {
        return edit_implied(text, field);
    }
    switch (field.kind) {
    case FieldKind::number:
    case FieldKind::whole:
        return edit_numbers(text, field);
    case FieldKind::choice:
        return edit_choice(text, field);
    case FieldKind::choices:
        return edit_choices(text, field);
    default:
        return edit_text(text, field);
    }
}

std::string explanation(const FieldInfo& field) {
    std::string text = field.help;
    const std::string range =
        field.unit.empty() ? field.range : fmt::format("{} {}", field.range, field.unit);
    text += range.empty() ? "" : fmt::format("\n{}", range);
    text += field.default_value.empty() ? "" : fmt::format("\nDefault: {}", field.default_value);
    return text + "\nDouble click on the name to reset it";
}

void show_help(const FieldInfo& field) {
    ImGui::BeginTooltip();
    ImGui::PushTextWrapPos(scaled_pixels(320));
    ImGui::TextUnformatted(explanation(field).c_str());
    ImGui::PopTextWrapPos();
    ImGui::EndTooltip();
}

/// The name, which explains itself and gives the default back.
void show_name(Document& document, std::size_t at, const FieldInfo& field, float width) {
    const bool given = document.steps()[at].has(field);
    ImGui::AlignTextToFramePadding();
    const ImVec2 begin = ImGui::GetCursorScreenPos();
    ImGui::PushClipRect(begin, {begin.x + width - scaled_pixels(4), begin.y + 2 * ImGui::GetFrameHeight()},
                        true);
    ImGui::TextColored(given ? theme::text : theme::dim, "%s", field.name.c_str());
    ImGui::PopClipRect();
    if (ImGui::IsItemHovered()) {
        show_help(field);
        if (ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left)) {
            document.reset(at, field);
        }
    }
}

/// A handle in the picture for a parameter.
struct FieldHandle {
    ToolKind kind = ToolKind::part;
    const char* name = "";
    const char* hint = "";
};

std::optional<FieldHandle> handle_for(const OpInfo& op, const FieldInfo& field) {
    if (names_part(field)) {
        return FieldHandle{ToolKind::part, "drag", "Drag its edges and corners in the image"};
    }
    if (names_turn(field)) {
        return FieldHandle{ToolKind::turn, "turn", "Turn the image with the mouse"};
    }
    if (names_corners(field)) {
        return FieldHandle{ToolKind::corners, "drag", "Drag the corners in the image"};
    }
    if (names_second_place(op, field)) {
        return FieldHandle{ToolKind::second, "drag", "Drag it and its corners in the image"};
    }
    return std::nullopt;
}

/// A control with a button at the end of the line. Whether the value was changed, and whether the button was
/// pressed.
struct Edited {
    bool changed = false;
    bool pressed = false;
};
Edited edit_beside(std::string& text, const FieldInfo& field, const char* button, const char* hint,
                   bool is_on) {
    const float gap = ImGui::GetStyle().ItemInnerSpacing.x;
    ImGui::PushItemWidth(ImGui::CalcItemWidth() - ImGui::CalcTextSize(button).x -
                         2 * ImGui::GetStyle().FramePadding.x - gap);
    const bool changed = edit(text, field);
    ImGui::PopItemWidth();
    ImGui::SameLine(0, gap);
    return {changed, switch_button(button, is_on, hint)};
}

/// A text that is being typed lives in ImGui until it is complete.
bool edit_value(std::string& text, Workspace& all, std::size_t at, const FieldInfo& field,
                const std::vector<ChannelCounts>* counts) {
    const Step& step = all.document.steps()[at];
    if (const std::optional<FieldHandle> handle = handle_for(*step.op, field)) {
        const Held wanted{handle->kind, step.id, field.name};
        const bool is_on = all.held == wanted;
        const Edited edited = edit_beside(text, field, handle->name, handle->hint, is_on);
        if (edited.pressed) {
            all.held = is_on ? std::nullopt : std::optional(wanted);
        }
        return edited.changed;
    }
    if (field.kind == FieldKind::picture || (field.kind == FieldKind::file && !field.names_array)) {
        const Edited edited = edit_beside(text, field, "choose", "Choose the file from a list", false);
        if (edited.pressed) {
            all.wanted_file = WantedFile{step.id, field.name};
        }
        return edited.changed;
    }
    if (names_aspect(field)) {
        return edit_aspect(text = step.aspect);
    }
    if (!names_curve(field)) {
        return edit(text, field);
    }
    bool changed = edit_curve(text, counts);
    if (ImGui::IsItemDeactivated()) {
        all.document.settle();
    }
    ImGui::PushItemWidth(ImGui::GetContentRegionAvail().x - card_inset()); // below it, as numbers are many
    changed = edit(text, field) || changed;
    ImGui::PopItemWidth();
    return changed;
}

void show_field(Workspace& all, std::size_t at, const FieldInfo& field,
                const std::vector<ChannelCounts>* counts) {
    Document& document = all.document;
    const float names = scaled_pixels(96);
    const float left = ImGui::GetCursorPosX();
    ImGui::PushID(field.name.c_str());
    show_name(document, at, field, names);
    ImGui::SameLine(left + names);
    if (field.kind == FieldKind::toggle) {
        bool on = document.steps()[at].has(field);
        if (ImGui::Checkbox("##value", &on)) {
            on ? document.set(at, field, "") : document.reset(at, field);
        }
    } else {
        ImGui::PushItemWidth(ImGui::GetContentRegionAvail().x - card_inset());
        std::string text = document.steps()[at].value_of(field);
        if (edit_value(text, all, at, field, counts)) {
            text.empty() ? document.reset(at, field) : document.set(at, field, text);
        }
        ImGui::PopItemWidth();
    }
    if (ImGui::IsItemDeactivated()) {
        document.settle();
    }
    ImGui::PopID();
}

} // namespace

std::optional<Held> handle_of(const Step& step) {
    for (const FieldInfo& field : step.op->fields) {
        if (const std::optional<FieldHandle> handle = handle_for(*step.op, field)) {
            return Held{handle->kind, step.id, field.name};
        }
    }
    return std::nullopt;
}

bool is_advanced(const OpInfo& op, const FieldInfo& field) {
    constexpr std::array<std::string_view, 5> names{"alpha", "nan", "truncate", "floats", "linear"};
    return field.name == op.bench.field || // how it is computed: the result is the same
           (!field.required && std::ranges::find(names, field.name) != names.end());
}

void show_fields(Workspace& all, std::size_t at, const std::vector<ChannelCounts>* counts,
                 bool has_advanced) {
    const OpInfo& op = *all.document.steps()[at].op;
    for (const bool advanced : {false, true}) { // which come last
        for (const FieldInfo& field : op.fields) {
            if (is_advanced(op, field) == advanced &&
                (!advanced || has_advanced || all.document.steps()[at].has(field))) {
                show_field(all, at, field, counts);
            }
        }
    }
}

} // namespace glproc::view
