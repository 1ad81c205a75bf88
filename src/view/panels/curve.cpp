#include "view/panels/curve.hpp"

#include "glproc/base/error.hpp"
#include "glproc/math/pchip.hpp"
#include "glproc/op/field.hpp"
#include "glproc/ops/curve/points.hpp"
#include "view/number_text.hpp"
#include "view/panels/scopes.hpp"
#include "view/panels/theme.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include <fmt/format.h>
#include <imgui.h>

namespace glproc::view {

namespace {

constexpr double least_distance = 0.004; // of two points, along x
constexpr std::size_t most_points = 256;

} // namespace

bool names_curve(const FieldInfo& field) {
    return field.range == FieldText<std::vector<CurvePoint>>::range({});
}

std::optional<CurvePoints> curve_in(const std::string& text) {
    try {
        const auto given = FieldText<std::vector<CurvePoint>>::parse({"points", "", curve_limit}, text);
        check_curve(given);
        CurvePoints points;
        for (const CurvePoint& point : given) {
            points.push_back({point.x.value, point.y.value});
        }
        const bool is_in = std::ranges::all_of(points, [](const auto& point) {
            return point[0] >= 0 && point[0] <= 1 && point[1] >= 0 && point[1] <= 1;
        });
        return is_in ? std::optional(points) : std::nullopt;
    } catch (const Error&) {
        return std::nullopt;
    }
}

std::string text_of(const CurvePoints& points) {
    std::string text;
    for (const auto& [x, y] : points) {
        text += fmt::format("{}{},{}", text.empty() ? "" : ",", short_number(x, 3), short_number(y, 3));
    }
    return text;
}

std::optional<std::size_t> point_at(const CurvePoints& points, Point2 at, double reach) {
    std::optional<std::size_t> found;
    double nearest = reach;
    for (std::size_t i = 0; i < points.size(); ++i) {
        if (const double far = std::hypot(points[i][0] - at.x, points[i][1] - at.y); far <= nearest) {
            nearest = far;
            found = i;
        }
    }
    return found;
}

CurvePoints with_moved(CurvePoints points, std::size_t index, Point2 to) {
    const double low = index == 0 ? 0 : points[index - 1][0] + least_distance;
    const double high = index + 1 == points.size() ? 1 : points[index + 1][0] - least_distance;
    points[index] = {std::clamp(to.x, std::min(low, high), std::max(low, high)), std::clamp(to.y, 0.0, 1.0)};
    return points;
}

std::optional<std::pair<CurvePoints, std::size_t>> with_added(CurvePoints points, Point2 at) {
    const auto after = std::ranges::find_if(points, [&](const auto& point) { return point[0] > at.x; });
    const bool is_near = std::ranges::any_of(
        points, [&](const auto& point) { return std::abs(point[0] - at.x) < 2 * least_distance; });
    if (is_near || points.size() >= most_points || at.x < 0 || at.x > 1) {
        return std::nullopt;
    }
    const auto index = static_cast<std::size_t>(after - points.begin());
    points.insert(after, {at.x, std::clamp(at.y, 0.0, 1.0)});
    return std::pair(std::move(points), index);
}

CurvePoints without(CurvePoints points, std::size_t index) {
    if (points.size() > 2) {
        points.erase(points.begin() + static_cast<std::ptrdiff_t>(index));
    }
    return points;
}

namespace {

/// Where the square is on the screen.
struct Square {
    ImVec2 corner;
    float side = 0;

    Point2 inside(ImVec2 at) const { return {(at.x - corner.x) / side, 1 - (at.y - corner.y) / side}; }
    ImVec2 on_screen(double x, double y) const {
        return {corner.x + side * static_cast<float>(x), corner.y + side * static_cast<float>(1 - y)};
    }
};

void draw_curve(const Square& square, const CurvePoints& points, std::size_t lit,
                const std::vector<ChannelCounts>* counts) {
    ImDrawList& draw = *ImGui::GetWindowDrawList();
    const ImVec2 end = square.corner + square.side;
    draw_counts(square.corner, {square.side, square.side}, counts, faded(theme::dim, 0.3F));
    draw_grid(square.corner, end, 4, 4, faded(theme::dim, 0.35F), true);
    const auto pieces = pchip(points);
    std::vector<ImVec2> line;
    const int steps = static_cast<int>(square.side);
    for (int i = 0; i <= steps; i += 2) {
        const double x = static_cast<double>(i) / steps;
        line.push_back(square.on_screen(x, std::clamp(value_at(pieces, x), 0.0, 1.0)));
    }
    draw.AddPolyline(line.data(), static_cast<int>(line.size()), ImGui::GetColorU32(theme::accent_bright), 0,
                     scaled_pixels(1.6F));
    for (std::size_t i = 0; i < points.size(); ++i) {
        const ImVec2 at = square.on_screen(points[i][0], points[i][1]);
        draw.AddCircleFilled(at, scaled_pixels(i == lit ? 5.5F : 4), ImGui::GetColorU32(theme::text));
    }
}

} // namespace

bool edit_curve(std::string& text, const std::vector<ChannelCounts>* counts) {
    const std::optional<CurvePoints> now = curve_in(text);
    if (!now) {
        return false;
    }
    const float side = std::min(ImGui::CalcItemWidth(), scaled_pixels(220));
    const Square square{ImGui::GetCursorScreenPos(), side};
    ImGui::InvisibleButton("curve", {side, side},
                           ImGuiButtonFlags_MouseButtonLeft | ImGuiButtonFlags_MouseButtonRight);
    const bool is_over = ImGui::IsItemHovered();
    const Point2 at = square.inside(ImGui::GetIO().MousePos);
    const double reach = scaled_pixels(9) / side;
    CurvePoints points = *now;
    ImGuiStorage& storage = *ImGui::GetStateStorage(); // which point is dragged; -1 for none
    const ImGuiID id = ImGui::GetID("dragged");
    if (ImGui::IsItemActivated()) {
        std::optional<std::size_t> grasped = point_at(points, at, reach);
        if (!grasped && ImGui::IsMouseDown(ImGuiMouseButton_Left)) {
            if (auto added = with_added(points, at)) {
                points = std::move(added->first);
                grasped = added->second;
            }
        } else if (grasped && ImGui::IsMouseDown(ImGuiMouseButton_Right)) {
            points = without(points, *grasped);
            grasped.reset();
        }
        storage.SetInt(id, grasped ? static_cast<int>(*grasped) : -1);
    }
    const int index = ImGui::IsItemActive() ? storage.GetInt(id, -1) : -1;
    if (index >= 0 && index < static_cast<int>(points.size()) &&
        ImGui::IsMouseDragging(ImGuiMouseButton_Left, 0)) {
        points = with_moved(points, static_cast<std::size_t>(index), at);
    }
    const std::size_t none = points.size();
    const std::size_t lit = index >= 0 ? static_cast<std::size_t>(index)
                            : is_over  ? point_at(points, at, reach).value_or(none)
                                       : none;
    draw_curve(square, points, lit, counts);
    if (index < 0) {
        explain(lit != none ? "Drag it; the right button removes it" : "Click to add a point");
    }
    const std::string made = text_of(points);
    if (points == *now || made == text) {
        return false;
    }
    text = made;
    return true;
}

} // namespace glproc::view
