#include "glproc/ops/color.hpp"

#include "glproc/image/colour.hpp"
#include "glproc/op/describe.hpp"
#include "glproc/ops/color/spaces.hpp"

#include <cmath>
#include <span>

namespace glproc {

namespace {

void add(std::vector<float>& params, double value) {
    params.push_back(static_cast<float>(value));
}

std::vector<float> params_of(const Color& op, const Form& form) {
    std::vector<float> params;
    const Scaling from = scaling_of(op.from, form.depth);
    const Scaling to = scaling_of(op.to, form.depth);
    for (std::size_t c = 0; c < 3; ++c) {
        add(params, 1 / from.scale[c]);
        add(params, -from.offset[c] / from.scale[c]);
        add(params, to.scale[c]);
        add(params, to.offset[c]);
    }
    for (const auto& matrix : {xyz_of_light, light_of_xyz()}) {
        params.insert(params.end(), matrix.begin(), matrix.end());
    }
    const std::array<double, 2> chroma = white_chroma();
    params.insert(params.end(), chroma.begin(), chroma.end());
    return params;
}

bool is_by_hue(ColourSpace space) {
    return space == ColourSpace::lch || space == ColourSpace::hsv || space == ColourSpace::hsl;
}

/// Hue, saturation and lightness of codes are quotients of whole numbers, which may lie halfway between two codes. A rounding
/// error does not decide there.
double halfway(double value, Depth depth) {
    const double code = value * max_code(depth);
    const double nearest = std::round(2 * code) / 2;
    return (std::abs(code - nearest) < 1e-7 ? nearest : code) / max_code(depth);
}

bool is_of_codes(const Color& op, Depth depth) {
    return depth != Depth::f32 && op.from == ColourSpace::srgb && (op.to == ColourSpace::hsv || op.to == ColourSpace::hsl);
}

Colour4 colour_of(const Color& op, Depth depth, const Colour4& v) {
    const Scaling from = scaling_of(op.from, depth);
    const Scaling to = scaling_of(op.to, depth);
    Triple colour{};
    for (std::size_t c = 0; c < 3; ++c) {
        colour[c] = (v[c] - from.offset[c]) / from.scale[c];
    }
    Triple made = converted(colour, op.from, op.to);
    const bool begins_with_hue = op.to == ColourSpace::hsv || op.to == ColourSpace::hsl;
    if (double& hue = made[begins_with_hue ? 0 : 2]; depth == Depth::u8 && is_by_hue(op.to) && hue >= 359) {
        hue = 0; // code 180 would be 0 again
    }
    Colour4 result{0, 0, 0, v[3]};
    for (std::size_t c = 0; c < 3; ++c) {
        result[c] = to.scale[c] * made[c] + to.offset[c];
        if (is_of_codes(op, depth)) {
            result[c] = halfway(result[c], depth);
        }
    }
    if (depth == Depth::u8 && is_of_codes(op, depth) && std::nearbyint(result[0] * 255) == 180) {
        result[0] = 0;
    }
    return result;
}

/// The hue of colours that are almost grey takes doubles, unless it is a quotient of codes. Where floats are NaN,
/// drivers disagree on the largest.
bool takes_doubles(const Color& op, Depth depth) {
    return op.method != PointMethod::gpu && is_by_hue(op.to) && !is_of_codes(op, depth);
}

std::vector<double> rows_in_doubles(const Color& op, const Form& made, const Image& source, std::span<const int> rows) {
    const double full = max_code(source.depth());
    const bool is_grey = source.channels() < 3;
    std::vector<double> values;
    for (const int y : rows) {
        for (int x = 0; x < source.width(); ++x) {
            const auto value = [&](int channel) { return source.at(x, y, channel) / full; };
            const Colour4 own{value(0), value(is_grey ? 0 : 1), value(is_grey ? 0 : 2),
                              source.has_alpha() ? value(source.channels() - 1) : 1};
            const Colour4 colour = colour_of(op, source.depth(), own);
            for (int c = 0; c < made.channels; ++c) {
                values.push_back(colour[static_cast<std::size_t>(c)] * full);
            }
        }
    }
    return values;
}

/// By the processor alone.
Plan in_doubles(const Color& op, Plan plan) {
    plan.point.reset();
    plan.reference.rows = [op, made = plan.result](const Image& source, std::span<const int> rows) {
        return rows_in_doubles(op, made, source, rows);
    };
    plan.holds_picture = true;
    plan.by_processor = [plan](RowReader& source, RowWriter& to) {
        Image image(source.form());
        source.read(image.bytes());
        to.write(image_by_processor(plan, image).bytes());
    };
    return on_cpu(std::move(plan));
}

} // namespace

Plan plan(const Color& op, const Form& form) {
    Plan made = point_plan(
        form, {.name = "color",
               .glsl = "color.glsl",
               .params = params_of(op, form),
               .defines = {{"FROM", std::to_string(static_cast<int>(op.from))},
                           {"TO", std::to_string(static_cast<int>(op.to))}},
               .channels = colour_channels(form.channels),
               .enters = op.from == ColourSpace::srgb && !is_encoded(op.to),
               .method = op.method});
    return takes_doubles(op, form.depth) ? in_doubles(op, std::move(made)) : made;
}

const OpInfo& color_info() {
    static const OpInfo info =
        Describe<Color>("color", "convert colours to another colour space, such as L*a*b* or HSV",
                        "in.png out.tif lab")
            .alias("colour")
            .alias("colorspace")
            .field("space", &Color::to,
                   {.value = "SPACE", .help = "the colour space of the result", .place = true})
            .field("from", &Color::from, {.value = "SPACE", .help = "the colour space of the image"})
            .method(&Color::method)
            .runs();
    return info;
}

} // namespace glproc
