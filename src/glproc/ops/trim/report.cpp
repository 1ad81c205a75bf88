#include "glproc/ops/trim/report.hpp"

#include "glproc/base/error.hpp"
#include "glproc/op/level.hpp"

#include <algorithm>
#include <memory>

#include <fmt/format.h>

namespace glproc {

namespace {


class LookForBox final : public SweepState {
  public:
    LookForBox(const Form& form, const TrimBorder& border) : finder_(form, border) {}

    RowsMade next(Context&, Band& band) override {
        finder_.add(band.pixels());
        return {};
    }
    Rect box() const { return finder_.rect(); }

  private:
    BoxFinder finder_;
};

} // namespace

TrimBorder border_of(const Trim& op) {
    return {op.background.colour, op.tolerance};
}

void check(const Trim& op, const Form& form) {
    check_level("tolerance", op.tolerance, form, between_black_and_white, border_tolerance_limit);
    check_limit("margin", op.margin, trim_margin_limit);
}

Rect kept_part(const Trim& op, const Form& form, const Rect& box) {
    if (box.width == 0) {
        throw Error(ErrorCode::operation, "trim: all of the image is border, so nothing would be left",
                    op.tolerance > 0 ? "a lower --tolerance leaves more of it"
                                     : "--background names the colour of the border");
    }
    const int left = std::max(box.x - op.margin, 0);
    const int top = std::max(box.y - op.margin, 0);
    const int right = std::min(box.right(), form.width - op.margin) + op.margin;
    const int bottom = std::min(box.bottom(), form.height - op.margin) + op.margin;
    return {left, top, right - left, bottom - top};
}

Report report_of(const Trim& op, const std::string& name, const Form& form, const Rect& box) {
    const Rect part = kept_part(op, form, box);
    const auto whole = [](int number) { return Value{std::int64_t{number}}; };
    Report report;
    report.tree = {Value::Object{{"schema", {"glproc.trim/1"}},
                                 {"input", {name}},
                                 {"width", whole(form.width)},
                                 {"height", whole(form.height)},
                                 {"kept",
                                  {Value::Object{{"x", whole(part.x)},
                                                 {"y", whole(part.y)},
                                                 {"width", whole(part.width)},
                                                 {"height", whole(part.height)}}}}}};
    report.csv = fmt::format("x,y,width,height\n{},{},{},{}\n", part.x, part.y, part.width, part.height);
    report.text = [=](const TextShape&) {
        return fmt::format("{}  {}x{}  kept {}x{}+{}+{}\n", name, form.width, form.height, part.width, part.height, part.x,
                           part.y);
    };
    return report;
}

SweepPlan trim_report_plan(const Trim& op, const Form& form) {
    check(op, form);
    SweepPlan plan{.source = form, .sweeps = {}};
    plan.needs = [](Context&) {
        return TileNeeds{.what = "trim", .texel_pixels = 1, .pixel_bytes = 16, .pixel_work = 1};
    };
    plan.sweeps.push_back({.begin = [op, form](Context&, const BandCut&, SweepState*) {
        return std::make_unique<LookForBox>(form, border_of(op));
    }});
    plan.report = [op, form](Context&, SweepState& last, const std::string& name) {
        return report_of(op, name, form, static_cast<LookForBox&>(last).box());
    };
    return plan;
}

Report trim_report(const Trim& op, const std::string& name, const Image& pixels) {
    check(op, pixels.form());
    BoxFinder finder(pixels.form(), border_of(op));
    finder.add(pixels);
    return report_of(op, name, pixels.form(), finder.rect());
}

} // namespace glproc
