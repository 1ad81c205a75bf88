#include "view/tools/part.hpp"

#include "view/number_text.hpp"
#include "view/panels/theme.hpp"
#include "view/tools/step_tool.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <memory>
#include <system_error>

#include <fmt/format.h>

namespace glproc::view {

namespace {

/// Which end of a side is within reach: -1, 1, or 0 for what is between.
std::optional<int> end_at(double begin, double size, double at, double reach) {
    const double inner = std::min(reach, size / 3); // so that a small part can be moved as well
    if (at < begin - reach || at > begin + size + reach) {
        return std::nullopt;
    }
    return at < begin + inner ? -1 : at > begin + size - inner ? 1 : 0;
}

/// One side: where it begins, and how long it is.
std::array<int, 2> dragged_side(int begin, int size, int end, double by, int most) {
    const int far = begin + size;
    const auto moved = [&](int from) {
        return static_cast<int>(std::clamp(std::round(from + by), -1e9, 1e9));
    };
    if (end == 0) {
        return {std::clamp(moved(begin), 0, std::max(most - size, 0)), size};
    }
    if (end < 0) {
        const int now = std::clamp(moved(begin), 0, far - 1);
        return {now, far - now};
    }
    return {begin, std::clamp(moved(far), begin + 1, std::max(most, begin + 1)) - begin};
}

} // namespace

std::optional<Rect> part_in(const std::string& text) {
    const auto numbers = numbers_in<int, 4>(text);
    return numbers ? std::optional(Rect{(*numbers)[0], (*numbers)[1], (*numbers)[2], (*numbers)[3]})
                   : std::nullopt;
}

std::string text_of(const Rect& part) {
    return fmt::format("{},{},{},{}", part.x, part.y, part.width, part.height);
}

std::optional<Grip> grip_at(const Rect& part, Point2 at, double reach) {
    const auto x = end_at(part.x, part.width, at.x, reach);
    const auto y = end_at(part.y, part.height, at.y, reach);
    return x && y ? std::optional(Grip{*x, *y}) : std::nullopt;
}

Rect dragged(const Rect& part, const Grip& grip, Point2 by, int width, int height) {
    Rect result = part;
    if (grip.x != 0 || grip.y == 0) {
        const auto [x, w] = dragged_side(part.x, part.width, grip.x, by.x, width);
        result.x = x;
        result.width = w;
    }
    if (grip.y != 0 || grip.x == 0) {
        const auto [y, h] = dragged_side(part.y, part.height, grip.y, by.y, height);
        result.y = y;
        result.height = h;
    }
    return result;
}

std::optional<double> ratio_in(const std::string& aspect) {
    double width = 0;
    double height = 1;
    const char* const end = aspect.data() + aspect.size();
    const auto [colon, error] = std::from_chars(aspect.data(), end, width);
    const bool has_height = error == std::errc{} && colon != end && (*colon == ':' || *colon == '/');
    if (has_height) {
        std::from_chars(colon + 1, end, height);
    }
    return error == std::errc{} && width > 0 && height > 0 ? std::optional(width / height) : std::nullopt;
}

Rect largest_part(double ratio, int width, int height) {
    const int w = std::clamp(static_cast<int>(std::lround(height * ratio)), 1, width);
    const int h = std::clamp(static_cast<int>(std::lround(width / ratio)), 1, height);
    return w < width ? Rect{(width - w) / 2, 0, w, height} : Rect{0, (height - h) / 2, width, h};
}

Rect with_ratio(const Rect& part, const Grip& grip, double ratio, int width, int height) {
    if (grip.x == 0 && grip.y == 0) {
        return part;
    }
    struct Side {
        double fixed; ///< what stays: an end, or the middle
        double room;
    };
    const auto side = [](int begin, int size, int end, int most) {
        const double fixed = end < 0 ? begin + size : end > 0 ? begin : begin + size / 2.0;
        return Side{fixed, end < 0 ? fixed : end > 0 ? most - fixed : 2 * std::min(fixed, most - fixed)};
    };
    const Side across = side(part.x, part.width, grip.x, width);
    const Side down = side(part.y, part.height, grip.y, height);
    const double wanted = grip.y == 0   ? part.width
                          : grip.x == 0 ? part.height * ratio
                                        : std::max<double>(part.width, part.height * ratio);
    const double w = std::min({wanted, across.room, down.room * ratio});
    const int columns = std::max(static_cast<int>(std::lround(w)), 1);
    const int rows = std::clamp(static_cast<int>(std::lround(w / ratio)), 1, height);
    const auto begin = [](const Side& one, int end, int size, int most) {
        const double first = end < 0 ? one.fixed - size : end > 0 ? one.fixed : one.fixed - size / 2.0;
        return std::clamp(static_cast<int>(std::floor(first)), 0, std::max(most - size, 0));
    };
    return {begin(across, grip.x, columns, width), begin(down, grip.y, rows, height), columns, rows};
}

Rect spanned(Point2 one, Point2 other, int width, int height) {
    const auto side = [](double a, double b, int most) {
        const int begin = std::clamp(static_cast<int>(std::floor(std::min(a, b))), 0, std::max(most - 1, 0));
        const int end = std::clamp(static_cast<int>(std::ceil(std::max(a, b))), begin + 1, std::max(most, 1));
        return std::array{begin, end - begin};
    };
    const auto [x, w] = side(one.x, other.x, width);
    const auto [y, h] = side(one.y, other.y, height);
    return {x, y, w, h};
}

namespace {

class PartTool final : public StepTool {
    using StepTool::StepTool;

    std::optional<double> chosen_ratio() const { return ratio_in(step().aspect); }
    /// What the step says, else the largest of its aspect, else all.
    Rect part() const {
        const auto [width, height, channels, depth] = form();
        const std::optional<double> ratio = chosen_ratio();
        return part_in(value()).value_or(ratio ? largest_part(*ratio, width, height)
                                               : Rect{0, 0, width, height});
    }
    /// Nothing: outside it a new one begins, from where the button went down.
    std::optional<Grip> grip(Point2 at) const { return is_dragged_ ? grip_ : grip_at(part(), at, reach()); }

    bool grasp(Point2 at) override {
        was_ = part();
        grip_ = grip_at(was_, at, reach());
        return true;
    }
    void move(Point2 at) override {
        const Form of = form();
        const Point2 far = by(at);
        const Rect free = grip_ ? dragged(was_, *grip_, far, of.width, of.height)
                                : spanned(begin_, at, of.width, of.height);
        const Grip end = grip_.value_or(Grip{far.x < 0 ? -1 : 1, far.y < 0 ? -1 : 1});
        const auto ratio =
            ImGui::GetIO().KeyShift ? std::optional(double(was_.width) / was_.height) : chosen_ratio();
        if (far != Point2{}) {
            set(text_of(ratio ? with_ratio(free, end, *ratio, of.width, of.height) : free));
        }
    }
    void show_cursor(Point2 at) const override { point_at(grip(at)); }

    void show() const override {
        const Rect now = part();
        const ImVec2 a = all_.on_screen({double(now.x), double(now.y)});
        const ImVec2 b = all_.on_screen({double(now.x) + now.width, double(now.y) + now.height});
        const ImVec2 first = all_.on_screen({0, 0});
        const ImVec2 last = all_.on_screen({double(form().width), double(form().height)});
        ImDrawList& draw = *ImGui::GetWindowDrawList();
        const ImU32 shade = ImGui::GetColorU32(rgb(0x000000, 0.55F));
        draw.AddRectFilled(first, {last.x, a.y}, shade);
        draw.AddRectFilled({first.x, b.y}, last, shade);
        draw.AddRectFilled({first.x, a.y}, {a.x, b.y}, shade);
        draw.AddRectFilled({b.x, a.y}, {last.x, b.y}, shade);
        draw_grid(a, b, 3, 3, rgb(0xffffff, 0.25F));
        draw_frame(a, b, true);
        draw_label({(a.x + b.x) / 2, (a.y + b.y) / 2}, fmt::format("{} x {}", now.width, now.height));
    }

    Rect was_;                 ///< when the button went down
    std::optional<Grip> grip_; ///< that it went down on
};

} // namespace

std::unique_ptr<Tool> part_tool(Workspace& all) {
    return std::make_unique<PartTool>(all);
}

} // namespace glproc::view
