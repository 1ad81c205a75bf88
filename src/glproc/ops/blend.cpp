#include "glproc/ops/blend.hpp"

#include "glproc/base/error.hpp"
#include "glproc/op/describe.hpp"
#include "glproc/op/proof.hpp"
#include "glproc/op/workload.hpp"
#include "glproc/ops/blend/second.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace glproc {

namespace {

constexpr Limit place_limit{-1e6, 1e6};
constexpr Limit margin_limit{0, 1e5};
constexpr Limit opacity_limit{0, 1};
constexpr Limit scale_limit{0.0001, 100};

/// "sum" of "sum:A,B,C".
std::string_view word_of(const EnumRow<BlendMode>& row) {
    return row.name.substr(0, row.name.find(':'));
}

bool is_of_codes(BlendMode mode) {
    return mode >= BlendMode::bit_and;
}

void check(const Blend& op, const Form& form) {
    check_limit("opacity", op.opacity, opacity_limit);
    check_limit("margin", op.margin.in(form.width), margin_limit);
    if (op.at) {
        check_limit("at", op.at->x, place_limit);
        check_limit("at", op.at->y, place_limit);
    }
    if (op.scale) {
        check_limit("scale", op.scale->value, scale_limit);
    }
    if (is_of_codes(op.mode.mode) && form.depth == Depth::f32) {
        throw Error(ErrorCode::usage,
                    fmt::format("blend --mode {} takes 8- and 16-bit images; this one holds floats",
                                name_of(op.mode.mode)),
                    "first make integers of them by convert: --depth 16");
    }
}

/// The opacity as the GPU gets it: with the bits of a float, so that both compute the same.
double opacity_of(const Blend& op) {
    return std::nearbyint(op.opacity * 0x1p24) * 0x1p-24;
}

std::vector<float> params_of(const Blend& op, const Form& form) {
    std::vector<float> params = {static_cast<float>(opacity_of(op))};
    if (op.mode.mode == BlendMode::sum) {
        add_two_floats(params, op.mode.weights[0]);
        add_two_floats(params, op.mode.weights[1]);
        add_two_floats(params, op.mode.weights[2] * max_code(form.depth));
    }
    return params;
}

Plan plan_with(const Blend& op, const Form& form, SecondImage laid) {
    const auto second = std::make_shared<const SecondImage>(std::move(laid));
    const bool clears = op.mode.mode == BlendMode::in || op.mode.mode == BlendMode::out || op.mode.mode == BlendMode::exclude;
    const bool gains_alpha = clears && !form.has_alpha();
    return point_plan(
        form,
        {.name = "blend",
         .glsl = "blend.glsl",
         .params = params_of(op, form),
         .defines = {{"MODE", std::to_string(static_cast<int>(op.mode.mode))},
                     {"FADED", opacity_of(op) < 1 ? "1" : "0"},
                     {"ALPHAS", form.has_alpha() && second->image->has_alpha() ? "1" : "0"}},
         .second = second,
         .channels = gains_alpha ? form.channels + 1 : form.channels,
         .method = op.method});
}

/// The same programs, on a small image that the second one covers but for a part.
Plan probe_of(const Blend& op, const Form& form, int channels) {
    const Form small = probe_form(form);
    auto second =
        std::make_shared<const Image>(probe_picture({small.width, small.height, channels, form.depth}));
    return plan_with(op, small, {.image = std::move(second), .at = {3, 2}});
}

/// For measurements: without a second image, the image is laid on itself.
Plan plan_on(Blend op, const ImageInput& input) {
    if (!op.with.image) {
        op.with.image = std::make_shared<const Image>(input.pixels);
    }
    return plan(op, input.image.form());
}

} // namespace

BlendHow FieldText<BlendHow>::parse(const FieldContext& context, std::string_view text) {
    const std::size_t colon = text.find(':');
    const std::string_view word = text.substr(0, colon);
    std::vector<std::string> words;
    for (const EnumRow<BlendMode>& row : enum_rows<BlendMode>) {
        words.emplace_back(word_of(row));
    }
    const BlendMode mode = enum_rows<BlendMode>[parse_choice(context.name, word, words)].value;
    const bool has_numbers = colon != std::string_view::npos;
    if (has_numbers != (mode == BlendMode::sum)) {
        throw Error(ErrorCode::usage,
                    fmt::format("--{} {} {}", context.name, word,
                                has_numbers ? "takes no numbers" : "lacks its numbers"),
                    fmt::format("write --{} {}", context.name, has_numbers ? word : "sum:0.5,0.5,0"));
    }
    if (!has_numbers) {
        return {mode};
    }
    const std::vector<Level> numbers =
        parse_levels({fmt::format("{} sum", context.name), "", {}}, text.substr(colon + 1));
    if (numbers.size() != 3) {
        throw Error(ErrorCode::usage,
                    fmt::format("--{} sum needs three numbers, not {}", context.name, numbers.size()),
                    fmt::format("write --{} sum:0.5,0.5,0", context.name));
    }
    return {mode, {numbers[0], numbers[1], numbers[2]}};
}

std::string FieldText<BlendHow>::print(const BlendHow& how) {
    return how.mode == BlendMode::sum ? "sum:" + print_numbers({how.weights.begin(), how.weights.end()})
                                      : std::string(name_of(how.mode));
}

std::string FieldText<BlendHow>::range(const Limit&) {
    return "30 modes: over, multiply, screen, sum:A,B,C ...";
}

std::vector<Choice> FieldText<BlendHow>::choices() {
    return FieldText<BlendMode>::choices();
}

Plan plan(const Blend& op, const Form& form) {
    check(op, form);
    if (!op.with.image) { // its form alone is asked for
        return plan_with(op, form, {.image = std::make_shared<const Image>(1, 1, form.channels, form.depth)});
    }
    return blend_plan(op, form, second_of(op, form));
}

Plan blend_plan(const Blend& op, const Form& form, SecondImage laid) {
    const int channels = laid.image->channels();
    const double share = static_cast<double>(laid.image->width()) * laid.image->height() / form.width / form.height;
    Plan made = plan_with(op, form, std::move(laid));
    made.twin.work = 200 * (op.repeat ? 1 : std::min(share, 1.0)); // of the pixels that it lies on
    made.proof.probe = [op, form, channels] { return probe_of(op, form, channels); };
    return made;
}

const OpInfo& blend_info() {
    static const OpInfo info =
        Describe<Blend>("blend", "lay a second image on an image: a logo, a texture, an exposure",
                        "in.png out.png --with logo.png")
            .alias("composite")
            .example("Put a half transparent logo into the corner of every image of a folder",
                     "photos marked/ --with icon.png --gravity southeast --margin 4 --scale 20% --opacity "
                     "0.5")
            .example("Darken the middle of an image by another one",
                     "photo.jpg out.jpg --with others/a.jpg --mode multiply --gravity center")
            .example("Average two exposures", "photo.jpg out.jpg --with others/a.jpg --mode mix")
            .found_by({"overlay"}, "IN OUT --with OTHER")
            .found_by({"watermark"}, "IN OUT --with logo.png --gravity southeast")
            .found_by({"multiply"}, "IN OUT --with OTHER --mode multiply")
            .found_by({"subtract"}, "IN OUT --with OTHER --mode subtract")
            .found_by({"difference", "absdiff"}, "IN OUT --with OTHER --mode difference")
            .found_by({"addweighted"}, "IN OUT --with OTHER --mode sum:0.5,0.5,0")
            .found_by({"bitwiseand"}, "IN OUT --with OTHER --mode and")
            .found_by({"bitwiseor"}, "IN OUT --with OTHER --mode or")
            .found_by({"bitwisexor"}, "IN OUT --with OTHER --mode exclusive-or")
            .found_by({"-shadow N", "-morph N", "-region N", "-mask N"})
            .field("with", &Blend::with, {.value = "FILE", .help = "the image on top", .required = true})
            .field("mode", &Blend::mode, {.value = "MODE", .help = "how colours mix"})
            .field("opacity", &Blend::opacity,
                   {.value = "V",
                    .limit = opacity_limit,
                    .slider = {0, 1, 0.01},
                    .help = "how much of it shows"})
            .field("at", &Blend::at,
                   {.value = "X,Y",
                    .unit = "pixels",
                    .limit = place_limit,
                    .help = "place of its top left pixel; with --gravity, counted from there",
                    .standard = "0,0"})
            .field("gravity", &Blend::gravity, {.value = "G", .help = "where on the image it goes"})
            .field("margin", &Blend::margin,
                   {.value = "N",
                    .unit = "pixels",
                    .limit = margin_limit,
                    .slider = {0, 100, 1},
                    .help = "distance from the edges; 5% is of the image's width"})
            .field("scale", &Blend::scale,
                   {.value = "S", .slider = {0.01, 1, 0.01}, .help = "width, as a share of the image's"})
            .toggle("repeat", &Blend::repeat, true, {.help = "cover the image with copies of it"})
            .field("mask", &Blend::mask,
                   {.value = "FILE", .help = "an image as large as it: white shows it, black hides it",
                    .holds_numbers = true})
            .field("method", &Blend::method, {.value = "M", .help = "algorithm"})
            .bench<ImageInput>(
                "method", &Blend::method, {.size = "2448x1505"},
                [](const Blend& op, Context& gpu, const ImageInput& input) {
                    return why_not_measured(gpu, input, plan_on(op, input));
                },
                [](const Blend& op, Context& gpu, const ImageInput& input) {
                    return plan_workload(gpu, input, plan_on(op, input));
                })
            .runs();
    return info;
}

} // namespace glproc
