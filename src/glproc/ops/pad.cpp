#include "glproc/ops/pad.hpp"

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
    const auto number = [&](std::size_t i) { return parse_integer(c, parts[parts.size() == 1 ? 0 : i]); };
    return {number(0), number(1), number(2), number(3)};
}

std::string FieldText<Margin>::print(const Margin& margin) {
    return fmt::format("{},{},{},{}", margin.left, margin.top, margin.right, margin.bottom);
}

namespace {

constexpr Limit margin_limit{0, size_limit.high};

Margin margin_of(const Pad& op, const Form& form) {
    if (op.margin.has_value() == op.size.has_value()) {
        throw Error(ErrorCode::usage, "pad needs --margin or --size, and not both",
                    "glproc pad in.png out.png --margin 10,20,10,20");
    }
    if (op.margin) {
        for (const int side : {op.margin->left, op.margin->top, op.margin->right, op.margin->bottom}) {
            check_limit("margin", side, margin_limit);
        }
        return *op.margin;
    }
    const int room_x = op.size->width - form.width;
    const int room_y = op.size->height - form.height;
    if (room_x < 0 || room_y < 0) {
        throw Error(ErrorCode::usage,
                    fmt::format("pad to {} would make an image of {}x{} smaller",
                                FieldText<PixelSize>::print(*op.size), form.width, form.height),
                    "to cut a part out: glproc crop in.png out.png --size WxH");
    }
    const Int2 place = place_of(op.gravity, room_x, room_y);
    return {place[0], place[1], room_x - place[0], room_y - place[1]};
}

} // namespace

Plan plan(const Pad& op, const Form& form) {
    const Margin margin = margin_of(op, form);
    const std::int64_t width = std::int64_t{form.width} + margin.left + margin.right;
    const std::int64_t height = std::int64_t{form.height} + margin.top + margin.bottom;
    check_size("pad", width, height);
    return move_plan(form, static_cast<int>(width), static_cast<int>(height),
                     {.first = {-margin.left, -margin.top}, .border = op.border}, "pad", op.method);
}

const OpInfo& pad_info() {
    static const OpInfo info =
        Describe<Pad>("pad", "add a margin or a border around an image", "in.png out.png --margin 10,20,10,20")
            .field(
                "margin", &Pad::margin,
                {.value = "L,T,R,B",
                 .unit = "pixels",
                 .limit = margin_limit,
                 .help =
                     "how much to add left, top, right and bottom; one number is for all sides",
                 .contradicts = "size"})
            .field("size", &Pad::size,
                   {.value = "WxH",
                    .unit = "pixels",
                    .limit = size_limit,
                    .help = "the size of the result; --gravity says where the image goes",
                    .contradicts = "margin"})
            .field("gravity", &Pad::gravity,
                   {.value = "G", .help = "where the image goes", .needs = "size"})
            .field(
                "border", &Pad::border,
                {.value = "B",
                 .help =
                     "what to fill with; constant is black, or transparent if there is alpha; constant:V "
                     "takes 0 to 1, 128/255 or a colour"})
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
