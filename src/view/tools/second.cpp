#include "view/tools/second.hpp"

#include "glproc/base/error.hpp"
#include "glproc/op/field.hpp"
#include "glproc/op/level.hpp"
#include "glproc/ops/blend/second.hpp"
#include "view/number_text.hpp"
#include "view/tools/step_tool.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

namespace glproc::view {

namespace {

const FieldInfo* second_field(const OpInfo& op) {
    const auto found = std::ranges::find_if(
        op.fields, [](const FieldInfo& field) { return field.reads_picture && field.required; });
    return found == op.fields.end() ? nullptr : &*found;
}

/// What of the step decides where the second picture lies.
Blend placing_of(const Step& step) {
    Blend op;
    const auto read = [&](const char* name, auto& value) {
        const FieldInfo& field = *field_called(*step.op, name);
        if (step.has(field)) {
            using Value = std::decay_t<decltype(value)>;
            value = FieldText<Value>::parse({name, field.unit, field.limit}, step.given.at(name));
        }
    };
    read("at", op.at);
    read("gravity", op.gravity);
    read("margin", op.margin);
    read("scale", op.scale);
    return op;
}

/// One side that moves: a pixel of it stays in the picture.
int kept(double begin, int size, int most) {
    return static_cast<int>(std::clamp(std::round(begin), 1.0 - size, most - 1.0));
}

} // namespace

bool has_second(const OpInfo& op) {
    constexpr std::array names{"at", "gravity", "margin", "scale"};
    return second_field(op) != nullptr &&
           std::ranges::all_of(names, [&](const char* name) { return field_called(op, name) != nullptr; });
}

bool names_second_place(const OpInfo& op, const FieldInfo& field) {
    return field.name == "at" && has_second(op);
}

std::string second_file(const Step& step) {
    return has_second(*step.op) ? step.value_of(*second_field(*step.op)) : std::string();
}

std::optional<Rect> second_part(const Step& step, const Form& form, const Form& second) {
    try {
        return place_of_second(placing_of(step), form, {second.width, second.height});
    } catch (const Error&) {
        return std::nullopt;
    }
}

Rect dragged_second(const Rect& part, const Grip& grip, Point2 by, const Form& form) {
    Rect result = part;
    if (grip.x != 0 && grip.y != 0) {
        // As far as the farther of the two, so that the corner follows the pointer along either side.
        const double wider = 1 + grip.x * by.x / part.width;
        const double higher = 1 + grip.y * by.y / part.height;
        const double factor = std::abs(wider - 1) > std::abs(higher - 1) ? wider : higher;
        constexpr double most = 4; // times the image
        result.width = static_cast<int>(std::round(std::clamp(part.width * factor, 1.0, most * form.width)));
        result.height = std::max(
            1, static_cast<int>(std::lround(static_cast<double>(part.height) * result.width / part.width)));
        by = {grip.x < 0 ? part.width - result.width : 0.0, grip.y < 0 ? part.height - result.height : 0.0};
    }
    result.x = kept(part.x + by.x, result.width, form.width);
    result.y = kept(part.y + by.y, result.height, form.height);
    return result;
}

void set_second(Document& document, std::size_t at, const Rect& wanted, const Form& form,
                const Form& second) {
    const Step& step = document.steps()[at];
    const FieldInfo& place = *field_called(*step.op, "at");
    const FieldInfo& scale = *field_called(*step.op, "scale");
    const std::optional<Rect> before = second_part(step, form, second);
    if (!before || *before == wanted) {
        return;
    }
    std::map<std::string, std::string> values;
    Step trial = step;
    if (wanted.width != before->width) {
        values[scale.name] = trial.given[scale.name] =
            short_number(static_cast<double>(wanted.width) / form.width, 5);
    }
    trial.given[place.name] = "0,0";
    if (const std::optional<Rect> origin = second_part(trial, form, second)) {
        values[place.name] = fmt::format("{},{}", wanted.x - origin->x, wanted.y - origin->y);
        document.set(at, values);
    }
}

namespace {

class SecondTool final : public StepTool {
    using StepTool::StepTool;

    /// Nothing where it is not known.
    std::optional<Rect> part() const {
        const auto second = all_.news.seconds.find(step().id);
        return second == all_.news.seconds.end() ? std::nullopt : second_part(step(), form(), second->second);
    }
    /// A corner; all else moves it.
    std::optional<Grip> grip(Point2 at) const {
        const std::optional<Rect> now = part();
        const auto found = is_dragged_ ? std::optional(grip_)
                           : now       ? grip_at(*now, at, reach())
                                       : std::nullopt;
        return found && (found->x == 0 || found->y == 0) ? Grip{} : found;
    }

    bool grasp(Point2 at) override {
        is_dragged_ = false;
        const std::optional<Grip> found = grip(at);
        was_ = part().value_or(Rect{});
        grip_ = found.value_or(Grip{});
        return found.has_value();
    }
    void move(Point2 at) override {
        if (part()) {
            set_second(all_.document, at_, dragged_second(was_, grip_, by(at), form()), form(),
                       all_.news.seconds.at(step().id));
        }
    }
    void show_cursor(Point2 at) const override {
        if (part()) {
            point_at(grip(at));
        }
    }

    void show() const override {
        if (const std::optional<Rect> now = part()) {
            draw_frame(all_.on_screen({double(now->x), double(now->y)}),
                       all_.on_screen({double(now->x) + now->width, double(now->y) + now->height}), false);
        } else if (second_file(step()).empty()) { // else it is being read
            draw_label(all_.inset(static_cast<float>(all_.area_size.x / 2),
                                  static_cast<float>(all_.area_size.y / 2)),
                       "Choose the file of the second image first");
        }
    }

    Rect was_; ///< when the button went down
    Grip grip_;
};

} // namespace

std::unique_ptr<Tool> second_tool(Workspace& all) {
    return std::make_unique<SecondTool>(all);
}

} // namespace glproc::view
