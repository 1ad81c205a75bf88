// What the pointer does in the picture for a step: dragging a part, picking levels.
#include "view/app.hpp"

#include "view/levels_editor.hpp"
#include "view/part_tool.hpp"
#include "view/theme.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <imgui.h>

namespace glproc::view {

namespace {

const FieldInfo* field_of(const Step& step, const std::string& name) {
    const auto& fields = step.op->fields;
    const auto found = std::find_if(fields.begin(), fields.end(),
                                    [&](const FieldInfo& field) { return field.name == name; });
    return found == fields.end() ? nullptr : &*found;
}

const char* words_for(ToolKind kind) {
    switch (kind) {
    case ToolKind::part:
        return "Drag an edge, a corner or the middle. Enter: done";
    case ToolKind::black:
        return "Click a pixel that is to become black. Esc: leave";
    case ToolKind::grey:
        return "Click a pixel that is to become a middle grey. Esc: leave";
    case ToolKind::white:
        return "Click a pixel that is to become white. Esc: leave";
    case ToolKind::region:
        return "Drag over a region to measure it. Esc: leave";
    case ToolKind::line:
        return "Drag along a line to see its values. Esc: leave";
    }
    return "";
}

} // namespace

bool App::measures() const {
    return tool_ && (tool_->kind == ToolKind::region || tool_->kind == ToolKind::line);
}

/// For the step of the tool those before it are shown, so that the pointer is in what the step gets.
Steps App::wanted_steps() {
    if (!tool_ || measures()) {
        return document_.steps();
    }
    const std::optional<std::size_t> at = document_.find(tool_->step);
    if (!at || !document_.steps()[*at].on) {
        tool_.reset();
        return document_.steps();
    }
    return {document_.steps().begin(), document_.steps().begin() + static_cast<std::ptrdiff_t>(*at)};
}

/// From the picture's part of the window to pixels of the result.
Point2 App::in_result(Point2 at) const {
    const Place place = place_of(news_.result);
    return {(at.x - place.corner.x) / place.width * news_.result.form.width,
            (at.y - place.corner.y) / place.height * news_.result.form.height};
}

void App::use_tool(bool hovered) {
    const ImGuiIO& io = ImGui::GetIO();
    const Point2 at = in_result({io.MousePos.x - area_.x, io.MousePos.y - area_.y});
    const bool is_pressed = hovered && ImGui::IsMouseClicked(ImGuiMouseButton_Left);
    if (measures()) {
        return measure(at, is_pressed);
    }
    const std::optional<std::size_t> step = document_.find(tool_->step);
    if (!step || news_.result.image == nullptr) {
        return;
    }
    if (tool_->kind == ToolKind::part) {
        drag_part(*step, at, is_pressed);
    } else if (is_pressed) {
        pick_level(*step, at);
    }
}

void App::drag_part(std::size_t step, Point2 at, bool is_pressed) {
    const FieldInfo* field = field_of(document_.steps()[step], tool_->field);
    const Form form = news_.result.form;
    if (field == nullptr) {
        return;
    }
    const auto given = part_in(document_.steps()[step].value_of(*field));
    const Part part = given.value_or(Part{0, 0, form.width, form.height});
    const double reach =
        static_cast<double>(scaled_pixels(10)) * form.width / std::max(place_of(news_.result).width, 1.0);
    const auto grip = part_grip_ ? part_grip_ : grip_at(part, at, reach);
    if (is_pressed) {
        part_grip_ = grip.value_or(Grip{});
        spans_part_ = !grip; // a new one, from where the button went down
        part_begin_ = part;
        drag_begin_ = at;
    }
    if (part_grip_ && ImGui::IsMouseDragging(ImGuiMouseButton_Left, 0)) {
        const Point2 by{at.x - drag_begin_.x, at.y - drag_begin_.y};
        const Part now = spans_part_ ? spanned(drag_begin_, at, form.width, form.height)
                                     : dragged(part_begin_, *part_grip_, by, form.width, form.height);
        if (by.x != 0 || by.y != 0) {
            document_.set(step, *field, text_of(now));
        }
    }
    if (part_grip_ && !ImGui::IsMouseDown(ImGuiMouseButton_Left)) {
        part_grip_.reset();
        document_.settle();
    }
    if (is_over_picture_) {
        ImGui::SetMouseCursor(!grip || spans_part_             ? ImGuiMouseCursor_Arrow
                              : grip->x == 0 && grip->y == 0   ? ImGuiMouseCursor_ResizeAll
                              : grip->x == 0                   ? ImGuiMouseCursor_ResizeNS
                              : grip->y == 0                   ? ImGuiMouseCursor_ResizeEW
                              : (grip->x > 0) == (grip->y > 0) ? ImGuiMouseCursor_ResizeNWSE
                                                               : ImGuiMouseCursor_ResizeNESW);
    }
}

/// The mean luma of 3 x 3 pixels.
void App::pick_level(std::size_t step, Point2 at) {
    const GpuImage& image = *news_.result.image;
    const auto levels = levels_of(document_.steps()[step]);
    const auto column = static_cast<int>(std::floor(at.x * image.width() / news_.result.form.width));
    const auto row = static_cast<int>(std::floor(at.y * image.height() / news_.result.form.height));
    if (!levels || column < 0 || row < 0 || column >= image.width() || row >= image.height()) {
        return;
    }
    const int left = std::max(column - 1, 0);
    const int top = std::max(row - 1, 0);
    const Image part = canvas_.part(image, left, top, std::min(column + 2, image.width()) - left,
                                    std::min(row + 2, image.height()) - top);
    const auto figures = figures_of(part);
    const double luma = (part.channels() < 3 ? figures[0].mean
                                             : 0.2126 * figures[0].mean + 0.7152 * figures[1].mean +
                                                   0.0722 * figures[2].mean) /
                        max_code(part.depth());
    set_levels(document_, step,
               tool_->kind == ToolKind::black   ? with_black(*levels, luma)
               : tool_->kind == ToolKind::white ? with_white(*levels, luma)
                                                : with_middle(*levels, luma));
    document_.settle();
    tool_.reset();
}

void App::draw_tool() {
    ImDrawList& draw = *ImGui::GetWindowDrawList();
    const char* words = words_for(tool_->kind);
    const ImVec2 size = ImGui::CalcTextSize(words);
    const float pad = scaled_pixels(6);
    const ImVec2 at{static_cast<float>(area_.x) + 2 * pad, static_cast<float>(area_.y) + 2 * pad};
    if (tool_->kind == ToolKind::part) {
        draw_part();
    } else if (measures()) {
        draw_measure();
    }
    draw.AddRectFilled({at.x - pad, at.y - pad}, {at.x + size.x + pad, at.y + size.y + pad},
                       ImGui::GetColorU32(theme::popup), pad);
    draw.AddText(at, ImGui::GetColorU32(theme::text), words);
}

void App::draw_part() {
    const std::optional<std::size_t> step = document_.find(tool_->step);
    const FieldInfo* field = step ? field_of(document_.steps()[*step], tool_->field) : nullptr;
    if (field == nullptr || news_.result.image == nullptr) {
        return;
    }
    const Form form = news_.result.form;
    const Part part =
        part_in(document_.steps()[*step].value_of(*field)).value_or(Part{0, 0, form.width, form.height});
    const Place place = place_of(news_.result);
    const auto on_screen = [&](double x, double y) {
        return ImVec2{static_cast<float>(area_.x + place.corner.x + x * place.width / form.width),
                      static_cast<float>(area_.y + place.corner.y + y * place.height / form.height)};
    };
    const ImVec2 a = on_screen(part.x, part.y);
    const ImVec2 b = on_screen(part.x + part.width, part.y + part.height);
    const ImVec2 first = on_screen(0, 0);
    const ImVec2 last = on_screen(form.width, form.height);
    ImDrawList& draw = *ImGui::GetWindowDrawList();
    const ImU32 shade = ImGui::GetColorU32(rgb(0x000000, 0.55F));
    draw.AddRectFilled(first, {last.x, a.y}, shade);
    draw.AddRectFilled({first.x, b.y}, last, shade);
    draw.AddRectFilled({first.x, a.y}, {a.x, b.y}, shade);
    draw.AddRectFilled({b.x, a.y}, {last.x, b.y}, shade);
    const ImU32 thin = ImGui::GetColorU32(rgb(0xffffff, 0.25F));
    for (const float third : {1 / 3.0F, 2 / 3.0F}) {
        draw.AddLine({a.x + (b.x - a.x) * third, a.y}, {a.x + (b.x - a.x) * third, b.y}, thin);
        draw.AddLine({a.x, a.y + (b.y - a.y) * third}, {b.x, a.y + (b.y - a.y) * third}, thin);
    }
    const ImU32 bright = ImGui::GetColorU32(rgb(0xffffff, 0.95F));
    draw.AddRect(a, b, bright, 0, 0, scaled_pixels(1.5F));
    const float r = scaled_pixels(5);
    for (const float x : {0.0F, 0.5F, 1.0F}) {
        for (const float y : {0.0F, 0.5F, 1.0F}) {
            if (x != 0.5F || y != 0.5F) {
                const ImVec2 at{a.x + (b.x - a.x) * x, a.y + (b.y - a.y) * y};
                draw.AddRectFilled({at.x - r, at.y - r}, {at.x + r, at.y + r}, bright, scaled_pixels(2));
            }
        }
    }
    const std::string size = fmt::format("{} x {}", part.width, part.height);
    const ImVec2 room = ImGui::CalcTextSize(size.c_str());
    const ImVec2 at{(a.x + b.x - room.x) / 2, (a.y + b.y - room.y) / 2};
    const float pad = scaled_pixels(4);
    draw.AddRectFilled({at.x - pad, at.y - pad}, {at.x + room.x + pad, at.y + room.y + pad},
                       ImGui::GetColorU32(rgb(0x000000, 0.5F)), pad);
    draw.AddText(at, bright, size.c_str());
}

} // namespace glproc::view
