#include "glproc/ops/thumbnail.hpp"

#include "glproc/op/describe.hpp"

#include <string>

#include <fmt/format.h>

namespace glproc {

Extent FieldText<Extent>::parse(const FieldContext& c, std::string_view text) {
    const std::size_t cross = text.find('x');
    const auto side = [&](std::string_view part) {
        return part.empty() ? 0 : parse_integer({c.name, "pixels", size_limit}, part);
    };
    if (text.empty() || text == "x" ||
        (cross != std::string_view::npos && text.find('x', cross + 1) != std::string_view::npos)) {
        throw Error(ErrorCode::usage, fmt::format("--{} {} is not a size", c.name, text),
                    "256 for a square, 400x300 for a box, 400x or x300 for one side");
    }
    if (cross == std::string_view::npos) {
        return {side(text), side(text)};
    }
    return {side(text.substr(0, cross)), side(text.substr(cross + 1))};
}

std::string FieldText<Extent>::print(const Extent& box) {
    const auto side = [](int n) { return n == 0 ? "" : std::to_string(n); };
    return box.width == box.height ? side(box.width) : side(box.width) + "x" + side(box.height);
}

namespace {

Extent box_of(const Thumbnail& op) {
    return op.box;
}

void check(const Thumbnail& op) {
    if (op.box.width < 0 || op.box.height < 0 || op.box.width + op.box.height == 0) {
        throw Error(ErrorCode::usage, "thumbnail needs a box to shrink into",
                    "glproc thumbnail in.jpg out.jpg 256");
    }
    if (op.alpha == AlphaMode::ignore) {
        throw Error(ErrorCode::usage, "--alpha ignore keeps alpha as it is, which thumbnail cannot",
                    "--alpha premultiply or straight");
    }
}

} // namespace

Plan plan(const Thumbnail& op, const Form& form) {
    check(op);
    const Fraction fraction = op.fraction.value_or(fraction_of({form.width, form.height}, 1));
    const Extent made = shrunk_into(op.box, fraction.whole);
    const Resample resample{{form.width, made.width, 0, fraction.columns, op.filter},
                            {form.height, made.height, 0, fraction.rows, op.filter},
                            op.alpha};
    return resample_plan(form, resample, "thumbnail", op.method);
}

const OpInfo& thumbnail_info() {
    static const OpInfo info =
        Describe<Thumbnail>("thumbnail", "shrink an image to fit a box, upright, without metadata",
                            "in.png out.png 256")
            .found_by({"vipsthumbnail", "thumbnail --fit"}, "IN OUT {256x256}")
            .field("size", &Thumbnail::box,
                   {.value = "SIZE",
                    .unit = "pixels",
                    .help = "box to fit: 256 for a square, 400x300, or one side, 400x or x300; smaller "
                            "images keep their size",
                    .place = true})
            .field("filter", &Thumbnail::filter, {.value = "F", .help = "how to interpolate"})
            .field("alpha", &Thumbnail::alpha,
                   {.value = "A", .help = "how to weight transparent pixels; ignore is for filters only"})
            .method(&Thumbnail::method)
            .strips_metadata()
            .shrinks(&box_of, &Thumbnail::fraction)
            .runs();
    return info;
}

} // namespace glproc
