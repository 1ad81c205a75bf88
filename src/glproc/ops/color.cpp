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

/// Values of a picture in their order, each rounded once.
class Rounded {
  public:
    explicit Rounded(const Form& form) : image(form) {}

    void put(double value) {
        const std::size_t i = count_++;
        const auto code = [&] { return std::nearbyint(std::isnan(value) ? 0 : std::clamp(value, 0.0, max_code(image.depth()))); };
        switch (image.depth()) {
        case Depth::u8:
            image.values<std::uint8_t>()[i] = static_cast<std::uint8_t>(code());
            return;
        case Depth::u16:
            image.values<std::uint16_t>()[i] = static_cast<std::uint16_t>(code());
            return;
        case Depth::f32:
            image.values<float>()[i] = static_cast<float>(value);
            return;
        }
    }

    Image image;

  private:
    std::size_t count_ = 0;
};

Image made_in_doubles(const Color& op, Form made, const Image& source) {
    const double full = max_code(source.depth());
    const bool is_grey = source.channels() < 3;
    made.width = source.width();
    made.height = source.height();
    Rounded result(made);
    for (int y = 0; y < source.height(); ++y) {
        for (int x = 0; x < source.width(); ++x) {
            const auto value = [&](int channel) { return source.at(x, y, channel) / full; };
            const Colour4 own{value(0), value(is_grey ? 0 : 1), value(is_grey ? 0 : 2),
                              source.has_alpha() ? value(source.channels() - 1) : 1};
            const Colour4 colour = colour_of(op, source.depth(), own);
            for (int c = 0; c < made.channels; ++c) {
                result.put(colour[static_cast<std::size_t>(c)] * full);
            }
        }
    }
    return std::move(result.image);
}

/// By the processor alone.
Plan in_doubles(const Color& op, Plan plan) {
    plan.work.point.reset();
    set_by_processor(
        plan,
        [op, made = plan.shape.result](const Image& source) { return made_in_doubles(op, made, source); }, 0);
    return on_cpu(std::move(plan));
}

/// Where floats are light, so is what `srgb` names: the same colours without the curve.
Color in_terms_of_floats(Color op, Depth depth) {
    const bool is_light = depth == Depth::f32 && op.floats == FloatValues::linear;
    for (ColourSpace* space : {&op.from, &op.to}) {
        *space = is_light && *space == ColourSpace::srgb ? ColourSpace::linear : *space;
    }
    return op;
}

/// `linear` is asked for as numbers: a file of encoded values is to hold them as they are.
Meaning meaning_of(const Color& op) {
    if (op.to != ColourSpace::srgb) {
        return Meaning::numbers;
    }
    return op.from == ColourSpace::srgb ? Meaning::kept : op.floats == FloatValues::linear ? Meaning::light : Meaning::srgb;
}

} // namespace

Plan plan(const Color& given, const Form& form) {
    const Color op = in_terms_of_floats(given, form.depth);
    Plan made = point_plan(form, {.name = "color",
                                  .glsl = "color.glsl",
                                  .params = params_of(op, form),
                                  .defines = {{"FROM", std::to_string(static_cast<int>(op.from))},
                                              {"TO", std::to_string(static_cast<int>(op.to))}},
                                  .channels = colour_channels(form.channels),
                                  .enters = op.from == ColourSpace::srgb && !is_encoded(op.to),
                                  .method = op.method});
    made.shape.meaning = meaning_of(given);
    return takes_doubles(op, form.depth) ? in_doubles(op, std::move(made)) : made;
}

const OpInfo& color_info() {
    static const OpInfo info =
        Describe<Color>("color", "convert colours to another colour space, such as L*a*b* or HSV",
                        "in.png out.tif lab")
            .alias("colour")
            .alias("colorspace")
            .example("Write L*a*b* values as floats, for analysis elsewhere",
                     "photo.jpg lab.tif lab --depth f32")
            .example("Make an image lighter in L*a*b*, where its hues stay",
                     "glproc pipe photo.jpg out.jpg color lab then levels --gamma 1.3 --channels r then "
                     "color srgb --from lab")
            .found_by({"rgb2lab"}, "IN OUT lab")
            .field("space", &Color::to,
                   {.value = "SPACE", .help = "the colour space of the result", .place = true})
            .field("from", &Color::from, {.value = "SPACE", .help = "the colour space of the image"})
            .field("floats", &Color::floats, {.value = "F", .help = "what untagged floats contain"})
            .takes_srgb([](const Color& op) { return op.from == ColourSpace::srgb && op.to != ColourSpace::srgb; })
            .method(&Color::method)
            .runs();
    return info;
}

} // namespace glproc
