#include "glproc/ops/resize.hpp"

#include "glproc/op/describe.hpp"

#include <algorithm>
#include <cmath>

namespace glproc {

NewSize FieldText<NewSize>::parse(const FieldContext& c, std::string_view text) {
    if (text.ends_with('%')) {
        return {.percent = parse_number({c.name, "%", {1e-3, 1e5}}, text.substr(0, text.size() - 1))};
    }
    const std::size_t cross = text.find('x');
    if (cross == std::string_view::npos || text.size() == 1 ||
        text.find('x', cross + 1) != std::string_view::npos) {
        throw Error(ErrorCode::usage, fmt::format("--{} {} is not a size", c.name, text),
                    "800x600, 800x or x600 with the aspect kept, or 50%");
    }
    const auto side = [&](std::string_view part) {
        return part.empty() ? 0 : parse_integer({c.name, "pixels", size_limit}, part);
    };
    return {.width = side(text.substr(0, cross)), .height = side(text.substr(cross + 1))};
}

std::string FieldText<NewSize>::print(const NewSize& size) {
    const auto side = [](int n) { return n == 0 ? "" : std::to_string(n); };
    return size.percent > 0                      ? print_number(size.percent) + "%"
           : size.width == 0 && size.height == 0 ? ""
                                                 : side(size.width) + "x" + side(size.height);
}

namespace {

/// Of the new size to the old one, along both axes.
struct Ratio {
    double x;
    double y;
};

Ratio ratio_of(const Resize& op, const Form& form) {
    const NewSize& size = op.size;
    const double x = double(size.width) / form.width;
    const double y = double(size.height) / form.height;
    if (size.width > 0 && size.height > 0) {
        return op.fit    ? Ratio{std::min(x, y), std::min(x, y)}
               : op.fill ? Ratio{std::max(x, y), std::max(x, y)}
                         : Ratio{x, y};
    }
    if (op.fit || op.fill) {
        throw Error(ErrorCode::usage, fmt::format("--{} needs a width and a height", op.fit ? "fit" : "fill"),
                    fmt::format("glproc resize in.png out.png 800x600 --{}", op.fit ? "fit" : "fill"));
    }
    const double ratio = size.percent > 0 ? size.percent / 100 : std::max(x, y);
    return {ratio, ratio};
}

void check(const Resize& op) {
    if (op.size.width < 0 || op.size.height < 0 || op.size.percent < 0 ||
        std::max({double(op.size.width), double(op.size.height), op.size.percent}) == 0) {
        throw Error(ErrorCode::usage, "resize needs a size", "glproc resize in.png out.png 800x");
    }
    if (op.fit && op.fill) {
        throw Error(ErrorCode::usage, "--fit and --fill cannot be given together");
    }
    if (op.alpha == AlphaMode::ignore) {
        throw Error(ErrorCode::usage, "--alpha ignore keeps alpha as it is, which resize cannot",
                    "--alpha premultiply or straight");
    }
}

/// A side of the result: the one that was asked for, or what the ratio makes of the old one.
std::int64_t side_of(int asked, int old, double ratio) {
    return asked > 0 ? asked : std::max<std::int64_t>(std::llround(old * ratio), 1);
}

} // namespace

Plan plan(const Resize& op, const Form& form) {
    const bool mixes = op.filter != ResampleFilter::nearest;
    if (const std::optional<Plan> light = plan_in_light(op, form); light && mixes) {
        return *light;
    }
    check(op);
    const Ratio ratio = ratio_of(op, form);
    const NewSize asked = op.fit ? NewSize{} : op.size;
    const std::int64_t width = side_of(asked.width, form.width, ratio.x);
    const std::int64_t height = side_of(asked.height, form.height, ratio.y);
    check_size("resize", width, height);
    const auto along = [&](int old, std::int64_t side, double scale) {
        const double share = op.fill ? static_cast<double>(side) / scale / old : 1;
        const double shown = share < 1 - 1e-9 ? old * share : old; // a rounding is no reason to cut
        return Stretch{old, static_cast<int>(side), (old - shown) / 2, shown, op.filter};
    };
    const Resample resample{along(form.width, width, ratio.x), along(form.height, height, ratio.y), op.alpha,
                            op.linear};
    Plan plan = resample_plan(form, resample, "resize", op.method);
    plan.pixel_shape.widened = ratio.y / ratio.x; // what rounding to whole pixels adds is no other shape
    return plan;
}

const OpInfo& resize_info() {
    static const OpInfo info =
        Describe<Resize>("resize", "make a picture larger or smaller", "in.png out.png 800x")
            .field(
                "size", &Resize::size,
                {.value = "SIZE",
                 .unit = "pixels",
                 .help =
                     "the new size: 800x600, 800x or x600 with the aspect kept, or 50%; it may stand without "
                     "--size after the files",
                 .required = true,
                 .place = true})
            .toggle("fit", &Resize::fit, true,
                    {.help = "keep the aspect: the largest size within that box", .contradicts = "fill"})
            .toggle("fill", &Resize::fill, true,
                    {.help = "keep the aspect and fill the box: what lies beyond it is cut off on both sides",
                     .contradicts = "fit"})
            .field("filter", &Resize::filter,
                   {.value = "F", .help = "how pixels are mixed; filters widen where the picture shrinks"})
            .toggle(
                "linear", &Resize::linear, true,
                {.help = "mix linear light instead of sRGB-encoded values"})
            .field("floats", &Resize::floats)
            .field("alpha", &Resize::alpha,
                   {.value = "A", .help = "how transparent pixels are weighted: premultiply or straight"})
            .method(&Resize::method,
                    {.size = "2448x1505",
                     .ladders = {{.title = "A random 2448x1505 RGBA8 image at another size, ms",
                                  .columns = {{"to half", "2448x1505", {{"size", "50%"}}},
                                              {"to 150 %", "2448x1505", {{"size", "150%"}}}}}}})
            .runs();
    return info;
}

} // namespace glproc
