#include "glproc/ops/crop.hpp"

#include "glproc/op/describe.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace glproc {

namespace {

std::string_view without_blanks(std::string_view text) {
    const std::size_t first = std::min(text.find_first_not_of(' '), text.size());
    text.remove_prefix(first);
    return text.substr(0, text.find_last_not_of(' ') + 1);
}

constexpr Limit aspect_limit{1e-3, 1e5};

} // namespace

Rect FieldText<Rect>::parse(const FieldContext& c, std::string_view text) {
    const std::vector<std::string_view> parts = split_list(text);
    const std::string hint = fmt::format("--{0} X,Y,W,H, for instance --{0} 100,50,640,480", c.name);
    if (parts.size() != 4) {
        throw Error(ErrorCode::usage, fmt::format("--{} {} is not a rectangle", c.name, text), hint);
    }
    const auto number = [&](std::size_t i) {
        try {
            return parse_integer(c, without_blanks(parts[i]));
        } catch (const Error& error) {
            throw Error(error.code(), error.what(), hint);
        }
    };
    return {number(0), number(1), number(2), number(3)};
}

PartSize FieldText<PartSize>::parse(const FieldContext& c, std::string_view text) {
    const std::size_t plus = std::min(text.find('+'), text.size());
    PartSize part = FieldText<SizeOrShare>::parse(c, text.substr(0, plus));
    if (plus == text.size()) {
        return part;
    }
    const std::size_t second = text.find('+', plus + 1);
    if (second == std::string_view::npos) {
        throw Error(ErrorCode::usage, fmt::format("--{} {} is not a part of an image", c.name, text),
                    fmt::format("--{0} WxH+X+Y, for instance --{0} 640x480+100+50", c.name));
    }
    const FieldContext place{c.name, c.unit, {0, c.limit.high}};
    const int x = parse_integer(place, text.substr(plus + 1, second - plus - 1));
    part.first = Int2{x, parse_integer(place, text.substr(second + 1))};
    return part;
}

std::string FieldText<PartSize>::print(const PartSize& part) {
    return FieldText<SizeOrShare>::print(part) +
           (part.first ? fmt::format("+{}+{}", (*part.first)[0], (*part.first)[1]) : "");
}

Aspect FieldText<Aspect>::parse(const FieldContext& c, std::string_view text) {
    const FieldContext number{c.name, {}, aspect_limit};
    const std::size_t colon = std::min(text.find_first_of(":/"), text.size());
    const double width = parse_number(number, text.substr(0, colon));
    return {width, colon == text.size() ? 1 : parse_number(number, text.substr(colon + 1))};
}

std::string FieldText<Aspect>::print(const Aspect& aspect) {
    return fmt::format("{}:{}", aspect.width, aspect.height);
}

std::string FieldText<Rect>::print(const Rect& rect) {
    return fmt::format("{},{},{},{}", rect.x, rect.y, rect.width, rect.height);
}

namespace {

/// The largest size of this aspect within a picture.
PixelSize largest(const Aspect& aspect, const Form& form) {
    const double ratio = aspect.width / aspect.height;
    const auto whole = [](double side) { return std::max(static_cast<int>(std::lround(side)), 1); };
    return form.width >= form.height * ratio ? PixelSize{whole(form.height * ratio), form.height}
                                             : PixelSize{form.width, whole(form.width / ratio)};
}

Rect rect_of(const Crop& op, const Form& form) {
    if (int{op.rect.has_value()} + int{op.size.has_value()} + int{op.aspect.has_value()} != 1) {
        throw Error(ErrorCode::usage, "crop needs one of --rect, --size and --aspect",
                    "glproc crop in.png out.png --aspect 16:9");
    }
    if (op.rect) {
        return *op.rect;
    }
    const PixelSize size = op.size ? op.size->in(form.width, form.height) : largest(*op.aspect, form);
    const Int2 place = op.size && op.size->first
                           ? *op.size->first
                           : place_of(op.gravity, form.width - size.width, form.height - size.height);
    return {place[0], place[1], size.width, size.height};
}

/// Whether `count` pixels, beginning with `first`, lie on a line of n.
bool is_within(int first, int count, int n) {
    return first >= 0 && count >= 1 && count <= n && first <= n - count;
}

} // namespace

Placement placement_of(const Crop& op, const Form& form) {
    const Rect rect = rect_of(op, form);
    if (!is_within(rect.x, rect.width, form.width) || !is_within(rect.y, rect.height, form.height)) {
        throw Error(ErrorCode::usage,
                    fmt::format("crop to {} does not lie within an image of {}x{}",
                                op.rect ? FieldText<Rect>::print(rect) : FieldText<PartSize>::print(*op.size),
                                form.width, form.height),
                    op.rect
                        ? "X,Y,W,H: the first pixel is 0,0; X + W and Y + H stay within the size"
                        : fmt::format("to make an image larger: glproc pad in.png out.png --size {}x{}",
                                      std::max(rect.width, form.width), std::max(rect.height, form.height)));
    }
    return {rect.width, rect.height, {.first = {rect.x, rect.y}}};
}

Plan plan(const Crop& op, const Form& form) {
    return move_plan(form, placement_of(op, form), "crop", op.method);
}

const OpInfo& crop_info() {
    static const OpInfo info =
        Describe<Crop>("crop", "cut a part out of an image, pixels unchanged", "in.png out.png --rect 4,2,12,8")
            .example("Cut a square from the middle", "photo.jpg out.jpg --aspect 1:1")
            .example("Cut out 20 x 10 pixels that begin at column 5, row 3", "photo.jpg out.jpg 20x10+5+3")
            .found_by({"cut", "extractarea"}, "IN OUT --size 50%x50%")
            .found_by({"smartcrop"}, "IN OUT --aspect 1:1")
            .field("rect", &Crop::rect,
                   {.value = "X,Y,W,H",
                    .unit = "pixels",
                    .help = "the part, inside the image: left column and top row, counted from 0, then width "
                            "and height",
                    .contradicts = "size"})
            .field("size", &Crop::size,
                   {.value = "WxH[+X+Y]",
                    .unit = "pixels",
                    .limit = size_limit,
                    .help = "the size of the part, also in percent: 50%x50%; it lies at X,Y, or where "
                            "--gravity says",
                    .contradicts = "rect",
                    .place = true})
            .field("aspect", &Crop::aspect,
                   {.value = "W:H", .help = "the largest part of this aspect ratio, such as 1:1 or 16:9"})
            .field("gravity", &Crop::gravity, {.value = "G", .help = "where in the image the part lies"})
            .method(&Crop::method,
                    {.size = "2448x1505",
                     .ladders = {{.title = "A part of a random 2448x1505 RGBA8 image, ms",
                                  .columns = {{"1200x700", "2448x1505", {{"rect", "101,77,1200,700"}}}}}}})
            .runs();
    return info;
}

} // namespace glproc
