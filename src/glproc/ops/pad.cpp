#include "glproc/ops/pad.hpp"

#include "glproc/kinds/background.hpp"
#include "glproc/op/describe.hpp"

#include <fmt/format.h>

namespace glproc {

Margin FieldText<Margin>::parse(const FieldContext& c, std::string_view text) {
    const std::vector<std::string_view> parts = split_list(text);
    if (parts.size() != 4 && parts.size() != 1) {
        throw Error(
            ErrorCode::usage, fmt::format("--{} {} is not a margin", c.name, text),
            fmt::format("--{0} L,T,R,B, for instance --{0} 10,20,10,20, or --{0} 10 for all sides", c.name));
    }
    const auto side = [&](std::size_t i) {
        return FieldText<PixelLength<int>>::parse(c, parts[parts.size() == 1 ? 0 : i]);
    };
    return {side(0), side(1), side(2), side(3)};
}

std::string FieldText<Margin>::print(const Margin& margin) {
    const auto side = &FieldText<PixelLength<int>>::print;
    return fmt::format("{},{},{},{}", side(margin.left), side(margin.top), side(margin.right),
                       side(margin.bottom));
}

namespace {

constexpr Limit margin_limit{0, size_limit.high};

Margin margin_of(const Pad& op, const Form& form) {
    if (op.margin.has_value() == op.size.has_value()) {
        throw Error(ErrorCode::usage, "pad needs --margin or --size, and not both",
                    "glproc pad in.png out.png --margin 10,20,10,20");
    }
    if (op.margin) {
        const Margin margin{op.margin->left.in(form.width), op.margin->top.in(form.width),
                            op.margin->right.in(form.width), op.margin->bottom.in(form.width)};
        for (const int side : {margin.left, margin.top, margin.right, margin.bottom}) {
            check_limit("margin", side, margin_limit);
        }
        return margin;
    }
    const PixelSize size = op.size->in(form.width, form.height);
    const int room_x = size.width - form.width;
    const int room_y = size.height - form.height;
    if (room_x < 0 || room_y < 0) {
        throw Error(ErrorCode::usage,
                    fmt::format("pad to {} would make an image of {}x{} smaller",
                                FieldText<SizeOrShare>::print(*op.size), form.width, form.height),
                    fmt::format("to cut a part out: glproc crop in.png out.png --size {}x{}",
                                std::min(size.width, form.width), std::min(size.height, form.height)));
    }
    const Int2 place = place_of(op.gravity, room_x, room_y);
    return {place[0], place[1], room_x - place[0], room_y - place[1]};
}

} // namespace

Placement placement_of(const Pad& op, const Form& form) {
    const Margin margin = margin_of(op, form);
    const std::int64_t width = std::int64_t{form.width} + margin.left + margin.right;
    const std::int64_t height = std::int64_t{form.height} + margin.top + margin.bottom;
    check_size("pad", width, height);
    return {static_cast<int>(width),
            static_cast<int>(height),
            {.first = {-margin.left, -margin.top}, .border = border_of(op.background, op.border)}};
}

Plan plan(const Pad& op, const Form& form) {
    return move_plan(form, placement_of(op, form), "pad", op.method);
}

const OpInfo& pad_info() {
    static const OpInfo info =
        Describe<Pad>("pad", "add a margin or a border around an image",
                      "in.png out.png --margin 10,20,10,20")
            .example("Place an image in the middle of a white square",
                     "photo.jpg out.jpg --size 80x80 --background white")
            .found_by({"extent"}, "IN OUT --size {800x600}")
            .found_by({"border", "frame", "copymakeborder", "embed"}, "IN OUT --margin 10")
            .found_by({"-polaroid N", "-raise N"})
            .field("margin", &Pad::margin,
                   {.value = "L,T,R,B",
                    .unit = "pixels",
                    .limit = margin_limit,
                    .help = "how much to add left, top, right and bottom, or on all sides; 5% is of the "
                            "image's width",
                    .contradicts = "size"})
            .field("size", &Pad::size,
                   {.value = "WxH",
                    .unit = "pixels",
                    .limit = size_limit,
                    .help = "the size of the result, or 150% of the image's; --gravity says where the image goes",
                    .contradicts = "margin"})
            .field("gravity", &Pad::gravity, {.value = "G", .help = "where the image goes", .needs = "size"})
            .field("border", &Pad::border,
                   {.value = "B",
                    .help = "how to continue the image; constant is black, or transparent if there is alpha",
                    .contradicts = "background"})
            .field("background", &Pad::background,
                   {.value = "COLOUR", .help = "the colour around the image", .contradicts = "border"})
            .method(&Pad::method,
                    {.size = "2448x1505",
                     .ladders = {{.title = "Margins of a random 2448x1505 RGBA8 image, ms",
                                  .columns = {{"black", "2448x1505", {{"margin", "33,10,33,10"}}},
                                              {"mirror",
                                               "2448x1505",
                                               {{"margin", "33,10,33,10"}, {"border", "mirror"}}}}}}})
            .runs();
    return info;
}

} // namespace glproc
