#include "view/tools/handles.hpp"

#include "view/number_text.hpp"
#include "view/panels/theme.hpp"
#include "view/tools/step_tool.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

namespace glproc::view {

namespace {

/// In tenths, without zeros at the end.
std::string tenths(double value) {
    return short_number(std::round(value * 10) / 10, 1);
}

/// Half a turn at most.
double folded(double degrees) {
    return degrees - 360 * std::round(degrees / 360);
}

} // namespace

bool names_turn(const FieldInfo& field) {
    return field.unit == "degrees" && field.required;
}

double swept(Point2 middle, Point2 from, Point2 to) {
    const auto angle = [&](Point2 at) { return std::atan2(at.y - middle.y, at.x - middle.x); };
    return folded((angle(to) - angle(from)) * 180 / std::numbers::pi);
}

std::string angle_text(double degrees) {
    return tenths(folded(degrees));
}

namespace {

/// The angle follows the pointer around the middle of the result, which stays where it is while its size
/// changes.
class TurnTool final : public StepTool {
    using StepTool::StepTool;

    double angle() const {
        const double now = number_at_start(value(), 0);
        return std::isfinite(now) ? now : 0;
    }
    // In squares of the screen: pixels that are no squares would turn unevenly.
    Point2 on_screen(Point2 at) const {
        const ImVec2 place = all_.on_screen(at);
        return {place.x, place.y};
    }

    bool grasp(Point2 at) override {
        last_ = on_screen(at);
        degrees_ = angle();
        return true;
    }
    void move(Point2 at) override {
        const Point2 now = on_screen(at);
        const double by = swept(on_screen({form().width / 2.0, form().height / 2.0}), last_, now);
        last_ = now;
        degrees_ += by;
        if (by != 0) {
            constexpr double notch = 15; // with Shift
            set(angle_text(ImGui::GetIO().KeyShift ? notch * std::round(degrees_ / notch) : degrees_));
        }
    }
    void show_cursor(Point2 /*at*/) const override { ImGui::SetMouseCursor(ImGuiMouseCursor_Hand); }

    /// A ring with the angle on it, and lines by which a horizon is judged.
    void show() const override {
        const ImVec2 first = all_.on_screen({0, 0});
        const ImVec2 last = all_.on_screen({double(form().width), double(form().height)});
        const ImVec2 middle{(first.x + last.x) / 2, (first.y + last.y) / 2};
        draw_grid(first, last, 8, 8, rgb(0xffffff, 0.3F));
        const float r = 0.35F * std::min(last.x - first.x, last.y - first.y);
        ImGui::GetWindowDrawList()->AddCircle(middle, r, bright(), 0, scaled_pixels(1.5F));
        const double radians = angle() * std::numbers::pi / 180;
        draw_grip({middle.x + r * static_cast<float>(std::sin(radians)),
                   middle.y - r * static_cast<float>(std::cos(radians))});
        draw_label(middle, value() + "\xc2\xb0"); // the sign of degrees
    }

    Point2 last_; ///< on the screen
    double degrees_ = 0;
};

} // namespace

std::unique_ptr<Tool> turn_tool(Workspace& all) {
    return std::make_unique<TurnTool>(all);
}

bool names_corners(const FieldInfo& field) {
    return field.value == "X,Y,..." && field.unit == "pixels"; // as the help has it
}

Corners corners_of(int width, int height) {
    const double right = width;
    const double bottom = height;
    return {Point2{0, 0}, {right, 0}, {right, bottom}, {0, bottom}};
}

std::optional<Corners> corners_in(const std::string& text) {
    const auto numbers = numbers_in<double, 8>(text);
    Corners corners;
    for (std::size_t i = 0; numbers && i < corners.size(); ++i) {
        corners[i] = {(*numbers)[2 * i], (*numbers)[2 * i + 1]};
    }
    return numbers ? std::optional(corners) : std::nullopt;
}

std::string text_of(const Corners& corners) {
    std::string text;
    for (const Point2& at : corners) {
        text += fmt::format("{}{},{}", text.empty() ? "" : ",", tenths(at.x), tenths(at.y));
    }
    return text;
}

std::size_t nearest_corner(const Corners& corners, Point2 at) {
    const auto nearest = std::ranges::min_element(
        corners, {}, [&](Point2 corner) { return std::hypot(corner.x - at.x, corner.y - at.y); });
    return static_cast<std::size_t>(nearest - corners.begin());
}

Corners with_moved(Corners corners, std::size_t index, Point2 by, int width, int height) {
    Point2& at = corners[index];
    at = {std::clamp(at.x + by.x, -1.0 * width, 2.0 * width),
          std::clamp(at.y + by.y, -1.0 * height, 2.0 * height)};
    return corners;
}

namespace {

class CornersTool final : public StepTool {
    using StepTool::StepTool;

    Corners corners() const { return corners_in(value()).value_or(corners_of(form().width, form().height)); }

    bool grasp(Point2 at) override {
        were_ = corners();
        index_ = nearest_corner(were_, at);
        return true;
    }
    void move(Point2 at) override {
        if (by(at) != Point2{}) {
            set(text_of(with_moved(were_, index_, by(at), form().width, form().height)));
        }
    }
    void show_cursor(Point2 /*at*/) const override { ImGui::SetMouseCursor(ImGuiMouseCursor_Hand); }

    void show() const override {
        std::array<ImVec2, 4> at{};
        std::ranges::transform(corners(), at.begin(), [&](Point2 corner) { return all_.on_screen(corner); });
        ImDrawList& draw = *ImGui::GetWindowDrawList();
        const ImU32 thin = ImGui::GetColorU32(rgb(0xffffff, 0.3F));
        const auto between = [](const ImVec2& a, const ImVec2& b, float share) {
            return ImVec2{a.x + (b.x - a.x) * share, a.y + (b.y - a.y) * share};
        };
        for (const float third : {1 / 3.0F, 2 / 3.0F}) {
            draw.AddLine(between(at[0], at[1], third), between(at[3], at[2], third), thin);
            draw.AddLine(between(at[0], at[3], third), between(at[1], at[2], third), thin);
        }
        draw.AddPolyline(at.data(), static_cast<int>(at.size()), bright(), ImDrawFlags_Closed,
                         scaled_pixels(1.5F));
        std::ranges::for_each(at, draw_grip);
    }

    Corners were_{}; ///< when the button went down
    std::size_t index_ = 0;
};

} // namespace

std::unique_ptr<Tool> corners_tool(Workspace& all) {
    return std::make_unique<CornersTool>(all);
}

} // namespace glproc::view
