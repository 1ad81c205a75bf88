#include "glproc/ops/levels.hpp"

#include "glproc/op/describe.hpp"
#include "glproc/op/findings.hpp"
#include "glproc/ops/histogram/measured.hpp"
#include "glproc/ops/levels/ends.hpp"

#include <cmath>

#include <fmt/format.h>

namespace glproc {

namespace {

constexpr Limit value_limit{-1e6, 1e6};
constexpr Limit gamma_limit{0.1, 10};
constexpr Limit clip_limit{0, 50};

void check(const Levels& op, const Form& form) {
    check_level("black", op.black, form, between_black_and_white, value_limit);
    check_level("white", op.white, form, between_black_and_white, value_limit);
    check_limit("gamma", op.gamma, gamma_limit);
    check_level("out-black", op.out_black, form, between_black_and_white, value_limit);
    check_level("out-white", op.out_white, form, between_black_and_white, value_limit);
    check_limit("auto", op.clip.value_or(0), clip_limit);
    if (op.white.value - op.black.value < 1e-6) {
        throw Error(ErrorCode::usage,
                    fmt::format("white {} is not above black {}", op.white.value, op.black.value),
                    "white must be above black by 1e-6 or more");
    }
    if (op.clip && (op.black.value != 0 || op.white.value != 1)) {
        throw Error(ErrorCode::usage, "auto chooses black and white itself",
                    "leave out either auto, or black and white");
    }
}

/// `ends` of r, g, b and a.
Point point_of(const Levels& op, const Form& form, const std::array<Ends, 4>& ends) {
    const std::array<bool, 4> is_chosen = op.channels.in(form);
    const double range = op.out_white.value - op.out_black.value;
    std::vector<float> params = {code_unit(form), static_cast<float>(1 / op.gamma),
                                 static_cast<float>(op.out_black.value), static_cast<float>(range)};
    for (std::size_t c = 0; c < 4; ++c) {
        add_two_floats(params, ends[c].black);
        params.insert(params.end(),
                      {static_cast<float>(1 / (ends[c].white - ends[c].black)), is_chosen[c] ? 1.0F : 0.0F});
    }
    return {.name = "levels",
            .glsl = "levels.glsl",
            .params = std::move(params),
            .channelwise = true,
            .method = op.method};
}

/// In codes, or as floats.
std::string text_of(const Ends& ends, const Form& form, const std::string& channel) {
    const double full = max_code(form.depth);
    const std::string unit = form.depth == Depth::f32 ? "" : fmt::format("/{}", full);
    return fmt::format("{}black {:.6g}{}, white {:.6g}{}", channel, ends.black, unit, ends.white, unit);
}

Measure measure_of(const Levels& op, const Form& form, const Point& point) {
    using enum HistogramChannel;
    const bool is_apart = op.per_channel && form.channels >= 3;
    Measure measure;
    measure.histogram.bins = bins_of(form);
    measure.histogram.channels = is_apart ? std::vector{red, green, blue} : std::vector{luma};
    measure.point = [=](const Counted& counted) {
        std::array<Ends, 4> ends{{{}, {}, {}, {0, max_code(form.depth)}}};
        for (std::size_t c = 0; c < 3; ++c) {
            const std::size_t channel = is_apart ? c : 0;
            const auto seen = static_cast<double>(pixels_in(counted.channels[channel]));
            ends[c] = ends_of(counted, channel, static_cast<std::uint64_t>(seen * *op.clip / 100), form);
        }
        for (std::size_t c = 0; c < (is_apart ? std::size_t{3} : std::size_t{1}); ++c) {
            add_finding(text_of(ends[c], form, is_apart ? std::string{"rgb"[c], ' '} : ""));
        }
        return point_of(op, form, ends);
    };
    measure.params_on_gpu = [=, params = point.params](Context& gpu, const Form& image, const Buffer& counts) {
        const double pixels = static_cast<double>(image.width) * image.height;
        const auto clipped = static_cast<std::uint64_t>(pixels * *op.clip / 100);
        return ends_on_gpu(gpu, image, counts, is_apart ? 3 : 1, clipped, params);
    };
    return measure;
}

} // namespace

Plan plan(const Levels& op, const Form& form) {
    check(op, form);
    const double full = max_code(form.depth);
    const Ends given{op.black.value * full, op.white.value * full};
    const Point point = point_of(op, form, {given, given, given, given});
    return op.clip ? measured_plan(form, point, measure_of(op, form, point)) : point_plan(form, point);
}

const OpInfo& levels_info() {
    static const OpInfo info =
        Describe<Levels>("levels", "set the black point, the white point and gamma",
                         "in.png out.png --black 0.1 --white 0.9")
            .example("Stretch the contrast, clipping half a percent of the pixels at each end",
                     "photo.jpg out.jpg --auto=0.5")
            .example("Brighten the midtones", "photo.jpg out.jpg --gamma 1.2")
            .found_by({"gamma"}, "IN OUT --gamma 1.2")
            .found_by({"level"}, "IN OUT --black 0.1 --white 0.9")
            .found_by({"normalize", "normalise", "autocontrast"}, "IN OUT --auto")
            .found_by({"auto-level"}, "IN OUT --auto=0")
            .found_by({"contrast-stretch"}, "IN OUT --auto=1")
            .found_by({"-auto-gamma"})
            .field("black", &Levels::black,
                   {.value = "V",
                    .limit = value_limit,
                    .slider = {0, 1, 0.005},
                    .help = "the value to turn black"})
            .field("white", &Levels::white,
                   {.value = "V",
                    .limit = value_limit,
                    .slider = {0, 1, 0.005},
                    .help = "the value to turn white"})
            .field("gamma", &Levels::gamma,
                   {.value = "G",
                    .limit = gamma_limit,
                    .slider = {0.1, 4, 0.02},
                    .help = "above 1 brightens the midtones, below 1 darkens them"})
            .field(
                "out-black", &Levels::out_black,
                {.value = "V", .limit = value_limit, .slider = {0, 1, 0.005}, .help = "the value black gets"})
            .field(
                "out-white", &Levels::out_white,
                {.value = "V", .limit = value_limit, .slider = {0, 1, 0.005}, .help = "the value white gets"})
            .field("channels", &Levels::channels,
                   {.value = "rgba",
                    .help = "the channels to change; in a grey image r, g and b all mean its grey"})
            .field("auto", &Levels::clip,
                   {.value = "PERCENT",
                    .unit = "percent",
                    .limit = clip_limit,
                    .slider = {0, 10, 0.1},
                    .help = "choose black and white from the histogram of luma, clipping this percentage of "
                            "pixels at each end; 0.1 if no number is given",
                    .implied = "0.1"})
            .toggle("per-channel", &Levels::per_channel, true,
                    {.help = "choose them for r, g and b separately, which shifts colours", .needs = "auto"})
            .method(&Levels::method)
            .runs();
    return info;
}

} // namespace glproc
