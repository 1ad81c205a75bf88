#include "glproc/ops/rotate.hpp"

#include "glproc/kinds/background.hpp"
#include "glproc/op/describe.hpp"

#include <cmath>
#include <numbers>

namespace glproc {

namespace {

constexpr Limit angle_limit{-1e6, 1e6};

/// A quarter turn, `quarters` times, in a picture of `width` × `height`.
Move quarter_turns(int quarters, const Form& form, int width, int height) {
    Move move;
    move.exchanged = quarters % 2 == 1;
    move.step = {quarters >= 2 ? -1 : 1, quarters == 1 || quarters == 2 ? -1 : 1};
    // If the size is kept, the rotated picture lies in the middle.
    const Int2 place = place_of(Gravity::center, width - (move.exchanged ? form.height : form.width),
                                height - (move.exchanged ? form.width : form.height));
    const Int2 begin = move.exchanged ? Int2{place[1], place[0]} : place;
    move.first = {move.step[0] > 0 ? -begin[0] : form.width - 1 + begin[0],
                  move.step[1] > 0 ? -begin[1] : form.height - 1 + begin[1]};
    return move;
}

/// Maps the result back to the source, both rotated about their middles, by an angle of this cosine and sine.
Affine turn_back(double c, double s, const Form& form, int width, int height) {
    const double x = width / 2.0;
    const double y = height / 2.0;
    return {.origin = {form.width / 2.0 - (c * x + s * y), form.height / 2.0 - (-s * x + c * y)},
            .right = {c, -s},
            .down = {s, c}};
}

/// From 0 to 360 degrees.
double turn_of(const Rotate& op) {
    return op.angle - 360 * std::floor(op.angle / 360);
}

void check(const Rotate& op) {
    check_limit("angle", op.angle, angle_limit);
    if (op.alpha == AlphaMode::ignore) {
        throw Error(ErrorCode::usage, "--alpha ignore keeps alpha as it is, which rotate cannot",
                    "--alpha premultiply or straight");
    }
}

} // namespace

std::optional<Placement> placement_of(const Rotate& op, const Form& form) {
    check(op);
    const double quarters = turn_of(op) / 90;
    if (quarters != std::floor(quarters)) {
        return std::nullopt;
    }
    const int count = static_cast<int>(quarters) % 4;
    const bool exchanged = count % 2 == 1 && !op.keep_size;
    const int width = exchanged ? form.height : form.width;
    const int height = exchanged ? form.width : form.height;
    Move move = quarter_turns(count, form, width, height);
    move.border = border_of(op.background, op.border);
    return Placement{width, height, move};
}

Plan plan(const Rotate& op, const Form& form) {
    if (const std::optional<Placement> placement = placement_of(op, form)) {
        return move_plan(form, *placement, "rotate", op.method);
    }
    const double radians = turn_of(op) * (std::numbers::pi / 180);
    const double c = std::cos(radians);
    const double s = std::sin(radians);
    // A rounding error must not add a pixel.
    const auto side = [&](double along, double across) {
        return static_cast<int>(std::ceil(along * std::abs(c) + across * std::abs(s) - 1e-6));
    };
    const int width = op.keep_size ? form.width : side(form.width, form.height);
    const int height = op.keep_size ? form.height : side(form.height, form.width);
    Affine affine = turn_back(c, s, form, width, height);
    affine.filter = op.filter;
    affine.border = border_of(op.background, op.border);
    affine.alpha = op.alpha;
    return affine_plan(form, width, height, affine, "rotate", op.method);
}

const OpInfo& rotate_info() {
    static const OpInfo info =
        Describe<Rotate>("rotate", "rotate an image clockwise", "in.png out.png 90")
            .example("Straighten a horizon, keeping the size", "photo.jpg out.jpg -1.5 --keep-size")
            .found_by({"turn", "--rotation"}, "IN OUT --angle 90")
            .found_by({"rot", "rot90", "rotate90"}, "IN OUT 90")
            .found_by({"rot180"}, "IN OUT 180")
            .found_by({"rot270"}, "IN OUT 270")
            .found_by({"-deskew N"})
            .cost({.llvmpipe = 45})
            .field("angle", &Rotate::angle,
                   {.value = "DEG",
                    .unit = "degrees",
                    .limit = angle_limit,
                    .slider = {-180, 180, 0.1},
                    .help = "the angle, clockwise; multiples of 90 leave the pixels unchanged",
                    .required = true,
                    .place = true})
            .toggle(
                "keep-size", &Rotate::keep_size, true,
                {.help =
                     "keep the size and cut the corners off, instead of growing to show them"})
            .field("filter", &Rotate::filter, {.value = "F", .help = "how to interpolate at other angles"})
            .field("border", &Rotate::border,
                   {.value = "B",
                    .help = "how to continue the image; constant is black, or transparent if there is alpha",
                    .contradicts = "background"})
            .field("background", &Rotate::background,
                   {.value = "COLOUR", .help = "the colour behind the corners", .contradicts = "border"})
            .field("alpha", &Rotate::alpha,
                   {.value = "A", .help = "how to weight transparent pixels; ignore is for filters only"})
            .method(&Rotate::method,
                    {.size = "2448x1505",
                     .ladders = {{.title = "Turns of a random 2448x1505 RGBA8 image, ms",
                                  .columns = {{"90 degrees", "2448x1505", {{"angle", "90"}}},
                                              {"10 degrees", "2448x1505", {{"angle", "10"}}}}}}})
            .runs();
    return info;
}

} // namespace glproc
