// Handles in the picture: parts, angles, corners, and the second picture of a step.
#include "view/app.hpp"

#include "glproc/base/number.hpp"
#include "view/tools/handles.hpp"
#include "view/tools/part.hpp"
#include "view/tools/second.hpp"
#include "view/panels/theme.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include <fmt/format.h>
#include <imgui.h>

namespace glproc::view {

namespace {

ImU32 bright() {
    return ImGui::GetColorU32(rgb(0xffffff, 0.95F));
}

void draw_grip(const ImVec2& at) {
    const float r = scaled_pixels(5);
    ImDrawList& draw = *ImGui::GetWindowDrawList();
    draw.AddRectFilled({at.x - r, at.y - r}, {at.x + r, at.y + r}, bright(), scaled_pixels(2));
    draw.AddRect({at.x - r, at.y - r}, {at.x + r, at.y + r}, ImGui::GetColorU32(rgb(0x000000, 0.5F)),
                 scaled_pixels(2));
}

/// On a dark ground that keeps them legible on any picture.
void draw_words(const ImVec2& middle, const std::string& words) {
    const ImVec2 room = ImGui::CalcTextSize(words.c_str());
    const ImVec2 at{middle.x - room.x / 2, middle.y - room.y / 2};
    const float pad = scaled_pixels(4);
    ImDrawList& draw = *ImGui::GetWindowDrawList();
    draw.AddRectFilled({at.x - pad, at.y - pad}, {at.x + room.x + pad, at.y + room.y + pad},
                       ImGui::GetColorU32(rgb(0x000000, 0.5F)), pad);
    draw.AddText(at, bright(), words.c_str());
}

double angle_in(const std::string& text) {
    double value = 0;
    read_number(text, value);
    return std::isfinite(value) ? value : 0;
}

} // namespace

/// From pixels of the result to the screen.
ImVec2 App::on_screen(Point2 at) const {
    const Place place = place_of(news_.result);
    return {static_cast<float>(area_.x + place.corner.x + at.x * place.width / news_.result.form.width),
            static_cast<float>(area_.y + place.corner.y + at.y * place.height / news_.result.form.height)};
}

/// How near a handle the pointer must be, in pixels of the result.
double App::reach() const {
    return static_cast<double>(scaled_pixels(10)) * news_.result.form.width /
           std::max(place_of(news_.result).width, 1.0);
}

void App::show_grip_cursor(const std::optional<Grip>& grip, bool spans) const {
    if (is_over_picture_) {
        ImGui::SetMouseCursor(!grip || spans                   ? ImGuiMouseCursor_Arrow
                              : grip->x == 0 && grip->y == 0   ? ImGuiMouseCursor_ResizeAll
                              : grip->x == 0                   ? ImGuiMouseCursor_ResizeNS
                              : grip->y == 0                   ? ImGuiMouseCursor_ResizeEW
                              : (grip->x > 0) == (grip->y > 0) ? ImGuiMouseCursor_ResizeNWSE
                                                               : ImGuiMouseCursor_ResizeNESW);
    }
}

/// What the step says, else the largest of its aspect, else all.
Part App::part_of(std::size_t step, const FieldInfo& field) const {
    const Form form = news_.result.form;
    const std::optional<double> ratio = ratio_in(document_.steps()[step].aspect);
    return part_in(document_.steps()[step].value_of(field))
        .value_or(ratio ? largest_part(*ratio, form.width, form.height) : Part{0, 0, form.width, form.height});
}

void App::drag_part(std::size_t step, Point2 at, bool is_pressed) {
    const FieldInfo* field = field_called(*document_.steps()[step].op, tool_->field);
    const Form form = news_.result.form;
    if (field == nullptr) {
        return;
    }
    const Part part = part_of(step, *field);
    const std::optional<double> chosen = ratio_in(document_.steps()[step].aspect);
    const auto ratio = ImGui::GetIO().KeyShift && drag_ ? std::optional(double(drag_->part.width) / drag_->part.height) : chosen;
    const auto grip = drag_ ? std::optional(drag_->grip) : grip_at(part, at, reach());
    if (is_pressed) {
        // Outside it is a new one, from where the button went down.
        drag_ = Drag{.begin = at, .grip = grip.value_or(Grip{}), .spans = !grip, .part = part};
    }
    if (drag_ && ImGui::IsMouseDragging(ImGuiMouseButton_Left, 0)) {
        const Point2 by{at.x - drag_->begin.x, at.y - drag_->begin.y};
        const Grip end = drag_->spans ? Grip{by.x < 0 ? -1 : 1, by.y < 0 ? -1 : 1} : drag_->grip;
        const Part free = drag_->spans ? spanned(drag_->begin, at, form.width, form.height)
                                       : dragged(drag_->part, drag_->grip, by, form.width, form.height);
        const Part now = ratio ? with_ratio(free, end, *ratio, form.width, form.height) : free;
        if (by.x != 0 || by.y != 0) {
            document_.set(step, *field, text_of(now));
        }
    }
    show_grip_cursor(grip, drag_ && drag_->spans);
}

/// The angle follows the pointer around the middle of the result, which stays where it is while its size changes.
void App::drag_turn(std::size_t step, Point2 at, bool is_pressed) {
    const FieldInfo* field = field_called(*document_.steps()[step].op, tool_->field);
    if (field == nullptr) {
        return;
    }
    const Form form = news_.result.form;
    // In squares of the screen: pixels that are no squares would turn unevenly.
    const ImVec2 now = on_screen(at);
    const ImVec2 middle = on_screen({form.width / 2.0, form.height / 2.0});
    if (is_pressed) {
        drag_ = Drag{.last = {now.x, now.y}, .degrees = angle_in(document_.steps()[step].value_of(*field))};
    }
    if (drag_ && ImGui::IsMouseDragging(ImGuiMouseButton_Left, 0)) {
        const double by = swept({middle.x, middle.y}, drag_->last, {now.x, now.y});
        drag_->last = {now.x, now.y};
        drag_->degrees += by;
        if (by != 0) {
            constexpr double notch = 15; // with Shift
            const double wanted =
                ImGui::GetIO().KeyShift ? notch * std::round(drag_->degrees / notch) : drag_->degrees;
            document_.set(step, *field, angle_text(wanted));
        }
    }
    if (is_over_picture_) {
        ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
    }
}

void App::drag_corners(std::size_t step, Point2 at, bool is_pressed) {
    const FieldInfo* field = field_called(*document_.steps()[step].op, tool_->field);
    if (field == nullptr) {
        return;
    }
    const Form form = news_.result.form;
    const Corners corners =
        corners_in(document_.steps()[step].value_of(*field)).value_or(corners_of(form.width, form.height));
    if (is_pressed) {
        drag_ = Drag{.begin = at, .corners = corners, .corner = nearest_corner(corners, at)};
    }
    if (drag_ && ImGui::IsMouseDragging(ImGuiMouseButton_Left, 0)) {
        const Point2 by{at.x - drag_->begin.x, at.y - drag_->begin.y};
        if (by.x != 0 || by.y != 0) {
            document_.set(step, *field,
                          text_of(with_moved(drag_->corners, drag_->corner, by, form.width, form.height)));
        }
    }
    if (is_over_picture_) {
        ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
    }
}

/// Where the second picture of the step lies; nothing where it is not known.
std::optional<Part> App::second_of(std::size_t step) const {
    const auto second = news_.seconds.find(document_.steps()[step].id);
    return second == news_.seconds.end()
               ? std::nullopt
               : second_part(document_.steps()[step], news_.result.form, second->second);
}

void App::drag_second(std::size_t step, Point2 at, bool is_pressed) {
    const std::optional<Part> part = second_of(step);
    if (!part) {
        return;
    }
    auto grip = drag_ ? std::optional(drag_->grip) : grip_at(*part, at, reach());
    if (grip && (grip->x == 0 || grip->y == 0)) {
        grip = Grip{}; // edges move it, too
    }
    if (is_pressed && grip) {
        drag_ = Drag{.begin = at, .grip = *grip, .part = *part};
    }
    if (drag_ && ImGui::IsMouseDragging(ImGuiMouseButton_Left, 0)) {
        const Form form = news_.result.form;
        const Point2 by{at.x - drag_->begin.x, at.y - drag_->begin.y};
        set_second(document_, step, dragged_second(drag_->part, drag_->grip, by, form), form,
                   news_.seconds.at(document_.steps()[step].id));
    }
    show_grip_cursor(grip, false);
}

void App::draw_handles() const {
    const std::optional<std::size_t> step = document_.find(tool_->step);
    if (!step || news_.result.image == nullptr) {
        return;
    }
    const FieldInfo* field = field_called(*document_.steps()[*step].op, tool_->field);
    if (tool_->kind == ToolKind::second) {
        draw_second(*step);
    } else if (field != nullptr && tool_->kind == ToolKind::part) {
        draw_part(*step, *field);
    } else if (field != nullptr && tool_->kind == ToolKind::turn) {
        draw_turn(*step, *field);
    } else if (field != nullptr && tool_->kind == ToolKind::corners) {
        draw_corners(*step, *field);
    }
}

void App::draw_part(std::size_t step, const FieldInfo& field) const {
    const Form form = news_.result.form;
    const Part part = part_of(step, field);
    const ImVec2 a = on_screen({double(part.x), double(part.y)});
    const ImVec2 b = on_screen({double(part.x) + part.width, double(part.y) + part.height});
    const ImVec2 first = on_screen({0, 0});
    const ImVec2 last = on_screen({double(form.width), double(form.height)});
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
    for (const float x : {0.0F, 0.5F, 1.0F}) {
        for (const float y : {0.0F, 0.5F, 1.0F}) {
            if (x != 0.5F || y != 0.5F) {
                draw_grip({a.x + (b.x - a.x) * x, a.y + (b.y - a.y) * y});
            }
        }
    }
    draw_words({(a.x + b.x) / 2, (a.y + b.y) / 2}, fmt::format("{} x {}", part.width, part.height));
}

/// A ring with the angle on it, and lines by which a horizon is judged.
void App::draw_turn(std::size_t step, const FieldInfo& field) const {
    const Form form = news_.result.form;
    const ImVec2 first = on_screen({0, 0});
    const ImVec2 last = on_screen({double(form.width), double(form.height)});
    const ImVec2 middle{(first.x + last.x) / 2, (first.y + last.y) / 2};
    ImDrawList& draw = *ImGui::GetWindowDrawList();
    const ImU32 thin = ImGui::GetColorU32(rgb(0xffffff, 0.3F));
    constexpr int parts = 8;
    for (int i = 1; i < parts; ++i) {
        const float share = static_cast<float>(i) / parts;
        const float x = first.x + (last.x - first.x) * share;
        const float y = first.y + (last.y - first.y) * share;
        draw.AddLine({x, first.y}, {x, last.y}, thin);
        draw.AddLine({first.x, y}, {last.x, y}, thin);
    }
    const float r = 0.35F * std::min(last.x - first.x, last.y - first.y);
    draw.AddCircle(middle, r, bright(), 0, scaled_pixels(1.5F));
    const std::string text = document_.steps()[step].value_of(field);
    const double radians = angle_in(text) * std::numbers::pi / 180;
    draw_grip({middle.x + r * static_cast<float>(std::sin(radians)),
               middle.y - r * static_cast<float>(std::cos(radians))});
    draw_words(middle, text + "\xc2\xb0"); // the sign of degrees
}

void App::draw_corners(std::size_t step, const FieldInfo& field) const {
    const Form form = news_.result.form;
    const Corners corners =
        corners_in(document_.steps()[step].value_of(field)).value_or(corners_of(form.width, form.height));
    std::array<ImVec2, 4> at{};
    std::transform(corners.begin(), corners.end(), at.begin(), [&](Point2 corner) { return on_screen(corner); });
    ImDrawList& draw = *ImGui::GetWindowDrawList();
    const ImU32 thin = ImGui::GetColorU32(rgb(0xffffff, 0.3F));
    const auto between = [](const ImVec2& a, const ImVec2& b, float share) {
        return ImVec2{a.x + (b.x - a.x) * share, a.y + (b.y - a.y) * share};
    };
    for (const float third : {1 / 3.0F, 2 / 3.0F}) {
        draw.AddLine(between(at[0], at[1], third), between(at[3], at[2], third), thin);
        draw.AddLine(between(at[0], at[3], third), between(at[1], at[2], third), thin);
    }
    draw.AddPolyline(at.data(), static_cast<int>(at.size()), bright(), ImDrawFlags_Closed, scaled_pixels(1.5F));
    std::for_each(at.begin(), at.end(), draw_grip);
}

void App::draw_second(std::size_t step) const {
    const std::optional<Part> part = second_of(step);
    if (!part && !second_file(document_.steps()[step]).empty()) {
        return; // it is being read
    }
    if (!part) {
        const ImVec2 middle{static_cast<float>(area_.x + area_size_.x / 2),
                            static_cast<float>(area_.y + area_size_.y / 2)};
        return draw_words(middle, "Choose the file of the second image first");
    }
    const ImVec2 a = on_screen({double(part->x), double(part->y)});
    const ImVec2 b = on_screen({double(part->x) + part->width, double(part->y) + part->height});
    ImGui::GetWindowDrawList()->AddRect(a, b, bright(), 0, 0, scaled_pixels(1.5F));
    for (const float x : {a.x, b.x}) {
        for (const float y : {a.y, b.y}) {
            draw_grip({x, y});
        }
    }
}

} // namespace glproc::view
