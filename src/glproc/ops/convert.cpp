#include "glproc/ops/convert.hpp"

#include "glproc/kinds/point_luma.hpp"
#include "glproc/op/describe.hpp"
#include "glproc/ops/profile.hpp"

#include <cmath>

namespace glproc {

namespace {

using Kind = AlphaChange::Kind;

int channels_of(const Convert& op, const Form& form) {
    const int colours = op.gray ? grey_channels(form.channels) : form.channels;
    const int opaque = opaque_channels(colours);
    return op.alpha.kind == Kind::add ? opaque + 1 : op.alpha.kind == Kind::keep ? colours : opaque;
}

} // namespace

template <>
struct FieldText<AlphaChange> {
    static AlphaChange parse(const FieldContext& c, std::string_view text) {
        constexpr std::string_view flatten = "flatten:";
        if (text.starts_with(flatten)) {
            return {Kind::flatten, FieldText<Colour>::parse(c, text.substr(flatten.size()))};
        }
        return {static_cast<Kind>(parse_choice(c.name, text, {"keep", "add", "drop"}))};
    }
    static std::string print(const AlphaChange&) { return "keep"; }
    static AlphaChange in_light(const AlphaChange& change) { return {change.kind, light_of(change.background)}; }
    static std::string range(const Limit&) { return "keep|add|drop|flatten:COLOUR"; }
};

namespace {

/// Both are functions of a pixel.
Plan after(const Plan& first, Plan then) {
    auto by_processor = one_after_another({first, then});
    then.work.run = [first = first.work.run, then = then.work.run](Context& gpu, const Part& source,
                                                                   const Rect& result) {
        const GpuImage between = first(gpu, source, result);
        return then(gpu, {between, source.rect}, result);
    };
    then.work.point.reset();
    then.twin.run = std::move(by_processor);
    then.twin.holds_picture = true;
    then.twin.only_proves = first.twin.only_proves || then.twin.only_proves;
    return then;
}

Plan plan_of_pixels(const Convert& op, const Form& form) {
    const bool flattens = op.alpha.kind == Kind::flatten && form.has_alpha();
    if (flattens && form.channels == 2 && !op.alpha.background.is_grey()) {
        throw Error(ErrorCode::usage, "a grey image cannot be flattened onto a colour",
                    "choose a grey, such as white");
    }
    if (op.alpha.kind == Kind::flatten && op.alpha.background.alpha != 1) {
        throw Error(ErrorCode::usage, "an image cannot be flattened onto a transparent colour",
                    "choose an opaque one, such as white");
    }
    const bool drops = flattens || op.alpha.kind == Kind::drop;
    const bool has_codes = form.depth != Depth::f32;
    const Colour& colour = op.alpha.background;
    std::array<double, 3> behind{colour.red, colour.green, colour.blue};
    for (double& value : behind) {
        value = has_codes ? std::nearbyint(value * max_code(form.depth)) : value;
    }
    std::vector<float> params = luma_params(LumaWeights::rec709, form);
    for (const double param :
         {op.gray ? 1.0 : 0.0, behind[0], behind[1], behind[2], flattens ? 1.0 : 0.0, drops ? 1.0 : 0.0}) {
        params.push_back(static_cast<float>(param));
    }
    return point_plan(form, {.name = "convert",
                             .glsl = "convert.glsl",
                             .params = std::move(params),
                             .channels = channels_of(op, form),
                             .channelwise = !op.gray && !flattens,
                             .method = op.method});
}

Plan plan_in_srgb(const Convert& op, const Form& form) {
    const Plan colours = plan(Profile{.to = IccChoice::Kind::srgb, .floats = op.floats, .own = op.own}, form);
    if (!op.gray && op.alpha.kind == Kind::keep) {
        return colours;
    }
    Convert rest = op;
    rest.to_srgb = false;
    return after(colours, plan_of_pixels(rest, form));
}

std::vector<std::byte> profile_after(const Convert& op, const Form& form) {
    const bool is_grey = op.gray || form.channels < 3;
    return op.to_srgb ? IccChoice(IccChoice::Kind::srgb).bytes(is_grey, false, {}) : op.own;
}

} // namespace

Plan plan(const Convert& op, const Form& form) {
    Plan plan = op.to_srgb ? plan_in_srgb(op, form) : plan_of_pixels(op, form);
    plan.shape.keeps_range = true;
    return plan;
}

const OpInfo& convert_info() {
    static const OpInfo info =
        Describe<Convert>("convert", "convert to another format, depth or number of channels",
                          "in.png out.tif")
            .example("Write a JPEG of at most 200 kB, without camera and location",
                     "photo.jpg out.jpg --max-size 200K --strip")
            .example("Put a transparent icon on white", "icon.png out.jpg --background white")
            .example("Convert a folder to PNG", "photos png/ --to png")
            .found_by({"strip"}, "IN OUT --strip")
            .found_by({"flatten"}, "IN OUT --background white")
            .found_by({"quality", "compress"}, "IN out.jpg --quality {80}")
            .found_by({"quantize", "quantise", "palette"}, "IN out.png --colors {64}")
            .found_by({"srgb"}, "IN OUT --to-srgb")
            .found_by({"mogrify"}, "*.jpg out/ --quality 80")
            .found_by({"magick", "autorot", "copy"}, "IN OUT")
            .found_by({"-remap N", "-transparent N", "-comment N", "-orient N", "-set N N", "-density N",
                       "-units N"})
            .toggle("gray", &Convert::gray, true,
                    {.help = "convert to grey (luma of Rec. 709)", .alias = "grey"})
            .field("alpha", &Convert::alpha,
                   {.value = "A",
                    .help = "keep alpha, add an opaque channel, drop it, or flatten onto a colour"})
            .toggle(
                "to-srgb", &Convert::to_srgb, true,
                {.help = "convert colours from the ICC profile of the image to sRGB, as glproc profile does"})
            .field("floats", &Convert::floats,
                   {.value = "F", .help = "what untagged floats contain", .needs = "to-srgb"})
            .converts_profile(&Convert::own, &profile_after)
            .method(&Convert::method)
            .runs();
    return info;
}

} // namespace glproc
