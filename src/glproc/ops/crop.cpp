#include "glproc/ops/crop.hpp"

#include "glproc/op/describe.hpp"

namespace glproc {

Rect FieldText<Rect>::parse(const FieldContext& c, std::string_view text) {
    const std::vector<std::string_view> parts = split_list(text);
    if (parts.size() != 4) {
        throw Error(ErrorCode::usage, fmt::format("--{} {} is not a rectangle", c.name, text),
                    fmt::format("--{0} X,Y,W,H, for instance --{0} 100,50,640,480", c.name));
    }
    const auto number = [&](std::size_t i) { return parse_integer(c, parts[i]); };
    return {number(0), number(1), number(2), number(3)};
}

std::string FieldText<Rect>::print(const Rect& rect) {
    return fmt::format("{},{},{},{}", rect.x, rect.y, rect.width, rect.height);
}

namespace {

Rect rect_of(const Crop& op, const Form& form) {
    if (op.rect.has_value() == op.size.has_value()) {
        throw Error(ErrorCode::usage, "crop needs --rect or --size, and not both",
                    "glproc crop in.png out.png --size 640x480");
    }
    if (op.rect) {
        return *op.rect;
    }
    const Int2 place = place_of(op.gravity, form.width - op.size->width, form.height - op.size->height);
    return {place[0], place[1], op.size->width, op.size->height};
}

/// Whether so many pixels from the first on lie on a line of n.
bool is_within(int first, int count, int n) {
    return first >= 0 && count >= 1 && count <= n && first <= n - count;
}

} // namespace

Plan plan(const Crop& op, const Form& form) {
    const Rect rect = rect_of(op, form);
    if (!is_within(rect.x, rect.width, form.width) || !is_within(rect.y, rect.height, form.height)) {
        throw Error(
            ErrorCode::usage,
            fmt::format("crop to {} does not lie within a picture of {}x{}",
                        op.rect ? FieldText<Rect>::print(rect) : FieldText<PixelSize>::print(*op.size),
                        form.width, form.height),
            op.rect ? "X,Y,W,H: the first pixel is 0,0; X + W and Y + H stay within the size"
                    : "to make a picture larger: glproc pad in.png out.png --size WxH");
    }
    return move_plan(form, rect.width, rect.height, {.first = {rect.x, rect.y}}, "crop", op.method);
}

const OpInfo& crop_info() {
    static const OpInfo info =
        Describe<Crop>("crop", "cut out a part, bit for bit", "in.png out.png --rect 4,2,12,8")
            .field("rect", &Crop::rect,
                   {.value = "X,Y,W,H",
                    .unit = "pixels",
                    .help = "the part: its first column and row, which count from 0, and its size",
                    .contradicts = "size"})
            .field("size", &Crop::size,
                   {.value = "WxH",
                    .unit = "pixels",
                    .limit = size_limit,
                    .help = "the size of a part that lies where --gravity says",
                    .contradicts = "rect"})
            .field("gravity", &Crop::gravity, {.value = "G", .help = "where the part lies", .needs = "size"})
            .method(&Crop::method,
                    {.size = "2448x1505",
                     .ladders = {{.title = "A part of a random 2448x1505 RGBA8 image, ms",
                                  .columns = {{"1200x700", "2448x1505", {{"rect", "101,77,1200,700"}}}}}}})
            .runs();
    return info;
}

} // namespace glproc
