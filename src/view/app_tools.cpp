// What the pointer does in the picture for a step: dragging a part, picking levels.
#include "view/app.hpp"

#include "view/panels/controls.hpp"
#include "view/panels/levels.hpp"
#include "view/panels/theme.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include <imgui.h>

namespace glproc::view {

namespace {

const char* words_for(ToolKind kind) {
    switch (kind) {
    case ToolKind::part:
        return "Drag an edge, a corner or the middle; Shift keeps the shape. Enter, or a click here: done";
    case ToolKind::turn:
        return "Drag around the middle to turn. Enter, or a click here: done";
    case ToolKind::corners:
        return "Drag the corners. Enter, or a click here: done";
    case ToolKind::second:
        return "Drag it, or a corner to scale it. Enter, or a click here: done";
    case ToolKind::black:
        return "Click a pixel that is to become black. Esc, or a click here: leave";
    case ToolKind::grey:
        return "Click a pixel that is to become a middle grey. Esc, or a click here: leave";
    case ToolKind::white:
        return "Click a pixel that is to become white. Esc, or a click here: leave";
    case ToolKind::region:
        return "Drag over a region to measure it. Esc, or a click here: leave";
    case ToolKind::line:
        return "Drag along a line to see its values. Esc, or a click here: leave";
    }
    return "";
}

} // namespace

bool App::measures() const {
    return tool_ && (tool_->kind == ToolKind::region || tool_->kind == ToolKind::line);
}

/// Of the last step that has one and is on.
void App::switch_handle() {
    for (auto step = document_.steps().rbegin(); step != document_.steps().rend(); ++step) {
        if (const std::optional<Tool> handle = step->on ? handle_of(*step) : std::nullopt) {
            tool_ = tool_ == handle ? std::nullopt : handle;
            return;
        }
    }
    tell("None of the operations has a handle in the image", false);
}

/// Whether the tool's step is seen itself, and not what it gets.
bool App::shows_step() const {
    return tool_ && (tool_->kind == ToolKind::turn || tool_->kind == ToolKind::second);
}

/// Around the picture, for handles that lie on its edge.
double App::margin() const {
    const bool is_on_edge = tool_ && (tool_->kind == ToolKind::part || tool_->kind == ToolKind::corners ||
                                      tool_->kind == ToolKind::second);
    return is_on_edge ? scaled_pixels(8) : 0;
}

/// For the step of the tool those before it are shown, so that the pointer is in what the step gets.
Steps App::wanted_steps() {
    if (!tool_ || measures()) {
        later_tool_.reset();
        return document_.steps();
    }
    const std::optional<std::size_t> at = document_.find(tool_->step);
    if (!at || !document_.steps()[*at].on) {
        tool_.reset();
        return document_.steps();
    }
    // A change of a later step is to be seen, too: the tool has done its work then.
    Steps later(document_.steps().begin() + static_cast<std::ptrdiff_t>(*at) + 1, document_.steps().end());
    if (later_tool_ == tool_ && later_steps_ != later) {
        tool_.reset();
        return document_.steps();
    }
    later_tool_ = tool_;
    later_steps_ = std::move(later);
    const std::size_t end = shows_step() ? *at + 1 : *at;
    return {document_.steps().begin(), document_.steps().begin() + static_cast<std::ptrdiff_t>(end)};
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
    if (is_pressed && is_over_words()) {
        return tool_.reset();
    }
    if (measures()) {
        return measure(at, is_pressed);
    }
    const std::optional<std::size_t> step = document_.find(tool_->step);
    if (!step || news_.result.image == nullptr) {
        return;
    }
    if (is_pressed) {
        drag_.reset();
    }
    switch (tool_->kind) {
    case ToolKind::part:
        drag_part(*step, at, is_pressed);
        break;
    case ToolKind::turn:
        drag_turn(*step, at, is_pressed);
        break;
    case ToolKind::corners:
        drag_corners(*step, at, is_pressed);
        break;
    case ToolKind::second:
        drag_second(*step, at, is_pressed);
        break;
    default:
        return is_pressed ? pick_level(*step, at) : void();
    }
    if (drag_ && !ImGui::IsMouseDown(ImGuiMouseButton_Left)) {
        drag_.reset();
        document_.settle();
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

/// Of the words that say what the tool does, without the ground around them.
App::Words App::tool_words() const {
    const char* text = words_for(tool_->kind);
    const float pad = scaled_pixels(6);
    const float wrap = std::max(scaled_pixels(60), static_cast<float>(area_size_.x) - 4 * pad);
    return {text, {static_cast<float>(area_.x) + 2 * pad, static_cast<float>(area_.y) + 2 * pad},
            ImGui::CalcTextSize(text, nullptr, false, wrap), wrap};
}

bool App::is_over_words() const {
    const Words words = tool_words();
    return ImGui::IsMouseHoveringRect(words.corner, {words.corner.x + words.size.x, words.corner.y + words.size.y}, false);
}

void App::draw_tool() {
    ImDrawList& draw = *ImGui::GetWindowDrawList();
    const Words words = tool_words();
    const float pad = scaled_pixels(6);
    measures() ? draw_measure() : draw_handles();
    draw.AddRectFilled({words.corner.x - pad, words.corner.y - pad},
                       {words.corner.x + words.size.x + pad, words.corner.y + words.size.y + pad},
                       ImGui::GetColorU32(is_over_words() ? theme::control : theme::popup), pad);
    draw.AddText(nullptr, 0, words.corner, ImGui::GetColorU32(theme::text), words.text, nullptr, words.wrap);
}

} // namespace glproc::view
