#include "glproc/ops/resize.hpp"

#include "glproc/op/describe.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace glproc {

NewSize FieldText<NewSize>::parse(const FieldContext& c, std::string_view text) {
    if (text.ends_with('%')) {
        const FieldContext percent{c.name, "%", {1e-3, 1e5}};
        const std::size_t cross = std::min(text.find('x'), text.size());
        return {.percent = parse_number(percent, text.substr(0, cross)),
                .percent_y = cross == text.size() ? 0 : parse_number(percent, text.substr(cross + 1))};
    }
    const bool only_shrinks = text.ends_with('>');
    const bool covers = text.ends_with('^');
    const std::string_view whole = text;
    text.remove_suffix(only_shrinks || covers || text.ends_with('!') ? 1 : 0);
    const std::size_t cross = text.find('x');
    if (cross == std::string_view::npos || text.size() == 1 ||
        text.find('x', cross + 1) != std::string_view::npos) {
        throw Error(ErrorCode::usage, fmt::format("--{} {} is not a size", c.name, whole),
                    "800x600, 800x or x600 to keep the aspect ratio, '800x600>' to shrink only, '800x600^' "
                    "to cover the box, or 50%");
    }
    const auto side = [&](std::string_view part) {
        return part.empty() ? 0 : parse_integer({c.name, "pixels", size_limit}, part);
    };
    return {.width = side(text.substr(0, cross)),
            .height = side(text.substr(cross + 1)),
            .covers = covers,
            .only_shrinks = only_shrinks};
}

std::string FieldText<NewSize>::print(const NewSize& size) {
    const auto side = [](int n) { return n == 0 ? "" : std::to_string(n); };
    const std::string percent_y = size.percent_y > 0 ? fmt::format("x{}%", size.percent_y) : "";
    return size.percent > 0                      ? fmt::format("{}%{}", size.percent, percent_y)
           : size.width == 0 && size.height == 0 ? ""
                                                 : side(size.width) + "x" + side(size.height) +
                                                       (size.only_shrinks ? ">"
                                                        : size.covers     ? "^"
                                                                          : "");
}

namespace {

/// The ratio of the new size to the old one, along both axes.
struct Ratio {
    double x;
    double y;
};

/// For a picture that may only shrink, to fit a box with one side that may be open.
Ratio shrinking_ratio(const Resize& op, double x, double y) {
    if (op.fit || op.fill) {
        throw Error(ErrorCode::usage,
                    fmt::format("--{} and a size that only shrinks cannot be given together",
                                op.fit ? "fit" : "fill"),
                    "'800x600>' fits into the box by itself");
    }
    const double ratio = std::min({x > 0 ? x : 1, y > 0 ? y : 1, 1.0});
    return {ratio, ratio};
}

Ratio ratio_of(const Resize& op, const Form& form) {
    const NewSize& size = op.size;
    const double x = double(size.width) / form.width;
    const double y = double(size.height) / form.height;
    if (size.only_shrinks) {
        return shrinking_ratio(op, x, y);
    }
    if (size.covers) {
        const double ratio = std::max(x, y);
        return {ratio, ratio};
    }
    if (size.width > 0 && size.height > 0) {
        return op.fit    ? Ratio{std::min(x, y), std::min(x, y)}
               : op.fill ? Ratio{std::max(x, y), std::max(x, y)}
                         : Ratio{x, y};
    }
    if (op.fit || op.fill) {
        throw Error(ErrorCode::usage, fmt::format("--{} needs a width and a height", op.fit ? "fit" : "fill"),
                    fmt::format("glproc resize in.png out.png 800x600 --{}", op.fit ? "fit" : "fill"));
    }
    if (size.percent > 0) {
        return {size.percent / 100, (size.percent_y > 0 ? size.percent_y : size.percent) / 100};
    }
    return {std::max(x, y), std::max(x, y)};
}

/// Replaces `max` by the size it stands for.
Resize with_size(Resize op) {
    if (op.max) {
        check_limit("max", *op.max, size_limit);
        op.size = {.width = *op.max, .height = *op.max, .only_shrinks = true};
    }
    return op;
}

void check(const Resize& op) {
    if (op.size.width < 0 || op.size.height < 0 || op.size.percent < 0 ||
        std::max({double(op.size.width), double(op.size.height), op.size.percent}) == 0) {
        throw Error(ErrorCode::usage, "resize needs a size", "glproc resize in.png out.png 800x");
    }
    if (op.size.covers && (op.fit || op.fill)) {
        throw Error(ErrorCode::usage,
                    fmt::format("--{} and a size with ^ cannot be given together", op.fit ? "fit" : "fill"),
                    fmt::format("800x600 --{}", op.fit ? "fit" : "fill"));
    }
    if (op.fit && op.fill) {
        throw Error(ErrorCode::usage, "--fit and --fill cannot be given together");
    }
    if (op.alpha == AlphaMode::ignore) {
        throw Error(ErrorCode::usage, "--alpha ignore keeps alpha as it is, which resize cannot",
                    "--alpha premultiply or straight");
    }
}

/// A side of the result: the requested one, or the old one times the ratio.
std::int64_t side_of(int asked, int old, double ratio) {
    return asked > 0 ? asked : std::max<std::int64_t>(std::llround(old * ratio), 1);
}

} // namespace

Plan plan(const Resize& given, const Form& form) {
    const Resize op = with_size(given);
    const bool mixes = op.filter != ResampleFilter::nearest;
    if (const std::optional<Plan> light = plan_in_light(op, form); light && mixes) {
        return *light;
    }
    check(op);
    const Ratio ratio = ratio_of(op, form);
    const NewSize asked = op.fit || op.size.covers || op.size.only_shrinks ? NewSize{} : op.size;
    const std::int64_t width = side_of(asked.width, form.width, ratio.x);
    const std::int64_t height = side_of(asked.height, form.height, ratio.y);
    check_size("resize", width, height);
    const Int2 place = place_of(op.gravity, 2, 2); // halves of the part that is cut off
    const auto along = [&](int old, std::int64_t side, double scale, int halves) {
        const double share = op.fill ? static_cast<double>(side) / scale / old : 1;
        const double shown = share < 1 - 1e-9 ? old * share : old; // a rounding error is no reason to cut
        return Stretch{old, static_cast<int>(side), (old - shown) / 2 * halves, shown, op.filter};
    };
    const Resample resample{along(form.width, width, ratio.x, place[0]),
                            along(form.height, height, ratio.y, place[1]), op.alpha, op.linear};
    Plan plan = resample_plan(form, resample, "resize", op.method);
    plan.shape.pixels = {.widened = ratio.y / ratio.x,
                         .across = ratio.x,
                         .down = ratio.y}; // without the rounding to whole pixels
    return plan;
}

const OpInfo& resize_info() {
    static const OpInfo info =
        Describe<Resize>("resize", "make an image larger or smaller", "in.png out.png 800x")
            .alias("scale")
            .example("Make square thumbnails of a folder, keeping the top of each image",
                     "photos thumbs/ 30x30 --fill --gravity north")
            .example("Shrink images whose longer side is over 40 pixels", "photo.jpg out.jpg --max 40")
            .found_by({"shrink", "reduce", "pyrdown", "downscale", "--percent"}, "IN OUT 50%")
            .found_by({"enlarge", "pyrup", "upscale"}, "IN OUT 200%")
            .found_by({"zoom"}, "IN OUT 200% --filter nearest")
            .found_by({"superres", "-resample N", "-liquid-rescale N"})
            .found_by({"--width"}, "IN OUT {800}x")
            .found_by({"--height"}, "IN OUT x{600}")
            .found_by({"--dimensions", "--geometry"}, "IN OUT {800x600}")
            .cost({.llvmpipe = 18})
            .field("size", &Resize::size,
                   {.value = "SIZE",
                    .unit = "pixels",
                    .help = "the new size: 800x600, 800x, x600, 50% or 50%x25%; '800x600>' only shrinks, "
                            "'800x600^' covers that box",
                    .required = true,
                    .contradicts = "max",
                    .place = true})
            .field("max", &Resize::max,
                   {.value = "N",
                    .unit = "pixels",
                    .limit = size_limit,
                    .help = "shrink the longer side to N",
                    .contradicts = "size"})
            .toggle("fit", &Resize::fit, true,
                    {.help = "keep the aspect ratio: the largest size inside the box", .contradicts = "fill"})
            .toggle("fill", &Resize::fill, true,
                    {.help = "keep the aspect ratio, fill the box and crop the rest", .contradicts = "fit"})
            .field("gravity", &Resize::gravity,
                   {.value = "G", .help = "which part of the image to keep", .needs = "fill"})
            .field("filter", &Resize::filter, {.value = "F", .help = "how to interpolate"})
            .toggle("linear", &Resize::linear, true,
                    {.help = "resize in linear light instead of sRGB-encoded values"})
            .field("floats", &Resize::floats)
            .field("alpha", &Resize::alpha,
                   {.value = "A", .help = "how to weight transparent pixels; ignore is for filters only"})
            .method(&Resize::method,
                    {.size = "2448x1505",
                     .ladders = {{.title = "A random 2448x1505 RGBA8 image at another size, ms",
                                  .columns = {{"to half", "2448x1505", {{"size", "50%"}}},
                                              {"to 150 %", "2448x1505", {{"size", "150%"}}}}}}})
            .runs();
    return info;
}

} // namespace glproc
