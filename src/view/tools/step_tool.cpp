#include "view/tools/step_tool.hpp"

#include "view/panels/theme.hpp"

#include <algorithm>

namespace glproc::view {

/// False where the step is gone.
bool StepTool::find() {
    const std::optional<std::size_t> at = all_.document.find(all_.held->step);
    at_ = at.value_or(0);
    field_ = at && all_.news.result.image != nullptr ? field_called(*step().op, all_.held->field) : nullptr;
    return field_ != nullptr;
}

void StepTool::draw() {
    if (find()) {
        show();
    }
}

bool StepTool::drag(const Pointer& pointer) {
    if (!find()) {
        return true;
    }
    if (pointer.is_pressed) {
        is_dragged_ = grasp(pointer.at);
        begin_ = pointer.at;
    }
    if (is_dragged_ && ImGui::IsMouseDragging(ImGuiMouseButton_Left, 0)) {
        move(pointer.at);
    }
    if (all_.is_over_picture) {
        show_cursor(pointer.at);
    }
    if (is_dragged_ && !ImGui::IsMouseDown(ImGuiMouseButton_Left)) {
        is_dragged_ = false;
        all_.document.settle();
    }
    return true;
}

double StepTool::reach() const {
    return static_cast<double>(scaled_pixels(10)) * form().width /
           std::max(all_.place_of(all_.news.result).width, 1.0);
}

void StepTool::point_at(const std::optional<Grip>& grip) const {
    ImGui::SetMouseCursor(!grip                            ? ImGuiMouseCursor_Arrow
                          : grip->x == 0 && grip->y == 0   ? ImGuiMouseCursor_ResizeAll
                          : grip->x == 0                   ? ImGuiMouseCursor_ResizeNS
                          : grip->y == 0                   ? ImGuiMouseCursor_ResizeEW
                          : (grip->x > 0) == (grip->y > 0) ? ImGuiMouseCursor_ResizeNWSE
                                                           : ImGuiMouseCursor_ResizeNESW);
}

ImU32 bright() {
    return ImGui::GetColorU32(rgb(0xffffff, 0.95F));
}

void draw_grip(const ImVec2& at) {
    const float r = scaled_pixels(5);
    const float round = scaled_pixels(2);
    ImDrawList& draw = *ImGui::GetWindowDrawList();
    draw.AddRectFilled(at - r, at + r, bright(), round);
    draw.AddRect(at - r, at + r, ImGui::GetColorU32(rgb(0x000000, 0.5F)), round);
}

void draw_label(const ImVec2& middle, const std::string& words) {
    const ImVec2 room = ImGui::CalcTextSize(words.c_str());
    draw_words({middle.x - room.x / 2, middle.y - room.y / 2}, words, scaled_pixels(4), rgb(0x000000, 0.5F),
               rgb(0xffffff, 0.95F));
}

void draw_frame(const ImVec2& first, const ImVec2& last, bool has_sides) {
    ImGui::GetWindowDrawList()->AddRect(first, last, bright(), 0, 0, scaled_pixels(1.5F));
    for (const float x : {0.0F, 0.5F, 1.0F}) {
        for (const float y : {0.0F, 0.5F, 1.0F}) {
            const bool is_corner = x != 0.5F && y != 0.5F;
            if (is_corner || (has_sides && x != y)) {
                draw_grip({first.x + (last.x - first.x) * x, first.y + (last.y - first.y) * y});
            }
        }
    }
}

} // namespace glproc::view
