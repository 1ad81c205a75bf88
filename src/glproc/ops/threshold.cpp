#include "glproc/ops/threshold.hpp"

#include "glproc/base/covering.hpp"
#include "glproc/op/describe.hpp"
#include "glproc/op/findings.hpp"
#include "glproc/ops/histogram/bin_groups.hpp"
#include "glproc/ops/histogram/measured.hpp"
#include "glproc/ops/threshold/local.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace glproc {

namespace {

constexpr Limit at_limit{-1e30, 1e30};
constexpr Limit bins_limit{2, 65536};

/// The values that become white. For integers, luma of `least` or more, in the units of whole_luma(). For
/// floats, values above `at`.
struct White {
    double least = 0;
    float at = 0;
};

double white_luma(const Threshold& op, const Form& form) {
    return max_code(form.depth) * luma_rule(op.luma).sum;
}

/// If a threshold is one of the possible values except for its last bits, as 0.2 is 51 / 255, it counts as
/// that value.
White above(const Threshold& op, const Form& form) {
    const double white = white_luma(op, form);
    const double at = std::clamp(op.at.value * white, -1.0, white);
    const double nearest = std::nearbyint(at);
    const double last_black = std::abs(at - nearest) < 1e-6 ? nearest : std::floor(at);
    return {last_black + 1, static_cast<float>(op.at.value)};
}

/// The first luma that is counted in a bin after `bin`.
White above_bin(const Counted& counted, std::int64_t bin, const Threshold& op, const Form& form) {
    const auto bins = static_cast<std::int64_t>(counted.channels.front().counts.size());
    const float at = form.depth == Depth::f32 ? counted.last_in(static_cast<std::size_t>(bin)) : 1;
    const auto white = static_cast<std::int64_t>(white_luma(op, form));
    return {static_cast<double>(bin + 1 == bins ? white + 1 : covering((bin + 1) * white, bins)), at};
}

/// The last bin of each class but the highest. Peaks of floats stand out in wide bins alone: of 65536 narrow
/// ones each has a few pixels.
std::vector<std::int64_t> split_before(const Threshold& op, const Form& form,
                                       const std::vector<std::uint64_t>& counts) {
    if (op.rule->classes > 2) {
        return otsu_splits(counts, op.rule->classes);
    }
    if (form.depth != Depth::f32 || op.rule->rule != SplitRule::triangle || op.bins) {
        return {split_of(counts, op.rule->rule)};
    }
    constexpr std::int64_t wide = 256; // in as many bins as ImageJ and scikit-image count floats
    constexpr std::int64_t least =
        16; // of them show a peak; of fewer, those from the least to the largest value
    const auto is_used = [](std::uint64_t count) { return count > 0; };
    const auto bins = static_cast<std::int64_t>(counts.size());
    std::int64_t first = std::ranges::find_if(counts, is_used) - counts.begin();
    std::int64_t end = std::find_if(counts.rbegin(), counts.rend(), is_used).base() - counts.begin();
    if (first >= end || end - first >= least * (bins / wide)) {
        first = 0;
        end = bins;
    }
    const BinGroups groups{static_cast<std::size_t>(first),
                           static_cast<std::size_t>(covering(end - first, wide)), wide};
    return {std::min(groups.last_of(split_of(groups.sums(counts), op.rule->rule)), bins - 1)};
}

/// A threshold as --at takes it, in codes or as a float, with just enough digits to find the same pixels.
std::string text_of(const White& white, const Threshold& op, const Form& form) {
    if (form.depth == Depth::f32) {
        return fmt::format("{:.9g}", white.at);
    }
    const double sum = luma_rule(op.luma).sum; // a code in units of luma
    const double last_black = form.channels < 3 ? std::floor((white.least - 1) / sum) * sum : white.least - 1;
    double code = 0;
    int digits = 0;
    for (double step = 1;; step /= 10, ++digits) {
        code = std::ceil(last_black / sum / step - 1e-6) * step;
        if (code * sum < last_black + 0.999) {
            break;
        }
    }
    code = std::max(0.0, code); // no -0
    return fmt::format("{:.{}f}/{}", code, digits, max_code(form.depth));
}

std::string text_of(const std::vector<White>& whites, const Threshold& op, const Form& form) {
    std::string text = whites.size() == 1 ? "threshold " : "thresholds ";
    for (const White& white : whites) {
        text += (&white == &whites.front() ? "" : ", ") + text_of(white, op, form);
    }
    return text;
}

void add_threshold(std::vector<float>& params, const White& white) {
    const double high = std::floor(white.least / 32768);
    params.insert(params.end(),
                  {white.at, static_cast<float>(high), static_cast<float>(white.least - high * 32768)});
}

/// By one threshold, or by several between the classes of a rule.
Point point_of(const Threshold& op, const Form& form, const std::vector<White>& whites) {
    const bool makes_mask = whites.size() == 1;
    std::vector<float> params = luma_params(op.luma, form);
    if (makes_mask) {
        add_threshold(params, whites.front());
    }
    for (std::size_t i = 0; i + 1 < most_classes && !makes_mask; ++i) {
        const std::size_t last = std::min(i, whites.size() - 1);
        add_threshold(params, whites[last]);
        params.push_back(static_cast<float>(last + 1) / static_cast<float>(whites.size()));
    }
    return {.name = "threshold",
            .glsl = makes_mask ? "threshold.glsl" : "threshold/classes.glsl",
            .params = std::move(params),
            .channelwise = form.channels < 3,
            .method = op.method};
}

FieldSpec local_border() {
    FieldSpec spec = FieldWords<Border>::spec();
    spec.needs = "local";
    return spec;
}

BenchInfo fixed_bench() {
    const std::string size = "2448x1505";
    return {.size = size,
            .ladders = {{.title = fmt::format("threshold of a random {} RGBA8 image, ms", size),
                         .columns = {{size, size, {{"rule", "otsu"}}}}}}};
}

Plan values_plan(const Threshold& op, const Form& form) {
    check_level("at", op.at, form, between_black_and_white, at_limit);
    if (op.range && (op.rule || op.local)) {
        throw Error(ErrorCode::usage, "threshold takes --range alone, not with --rule or --local",
                    "glproc threshold in.png out.png --range 20%,60%");
    }
    if (op.local) {
        return local_threshold_plan(op, form);
    }
    if (op.range) {
        return point_plan(form, range_point(*op.range, form, op.method));
    }
    if (!op.rule) {
        return point_plan(form, point_of(op, form, {above(op, form)}));
    }
    check_limit("bins", op.bins.value_or(bins_of(form)), bins_limit);
    check_limit("rule otsu", op.rule->classes, threshold_classes_limit);
    const Measure measure = measure_of(op, form);
    if (op.counted) {
        return point_plan(form, measure.point(*op.counted));
    }
    const std::vector<White> any(static_cast<std::size_t>(op.rule->classes - 1), above(op, form));
    return measured_plan(form, point_of(op, form, any), measure);
}

} // namespace

Measure measure_of(const Threshold& op, const Form& form) {
    Measure measure;
    measure.histogram.bins = form.depth == Depth::u8 ? bins_of(form) : op.bins.value_or(bins_of(form));
    measure.histogram.luma = op.luma;
    measure.within = {op.mask};
    measure.point = [=](const Counted& counted) {
        std::vector<White> whites;
        for (const std::int64_t bin : split_before(op, form, counted.channels.front().counts)) {
            whites.push_back(above_bin(counted, bin, op, form));
        }
        add_finding(text_of(whites, op, form));
        return point_of(op, form, whites);
    };
    return measure;
}

Plan plan(const Threshold& op, const Form& form) {
    Plan made = values_plan(op, form);
    made.shape.makes_mask = !op.rule || op.rule->classes == 2;
    return made;
}

const OpInfo& threshold_info() {
    static const OpInfo info =
        Describe<Threshold>("threshold", "turn an image black and white at a threshold",
                            "in.png out.png --rule otsu")
            .alias("binarize")
            .example("Make text on unevenly lit paper black and white",
                     "photo.jpg out.png --local sauvola --radius 12")
            .example("Let Otsu's rule choose the threshold", "photo.jpg out.png --rule otsu")
            .example("Split an image into three levels by Otsu's rule", "photo.jpg out.png --rule otsu:3")
            .found_by({"monochrome", "otsu", "blackwhite", "bw"}, "IN OUT --rule otsu")
            .found_by({"autothreshold", "isodata"}, "IN OUT --rule default")
            .found_by({"inrange"}, "IN OUT --range 20%,60%")
            .found_by({"adaptivethreshold"}, "IN OUT --local mean --radius 5 --k 2/255")
            .found_by({"ocr", "-black-threshold N", "-white-threshold N", "-random-threshold N",
                       "-ordered-dither N", "-opaque N"})
            .cost({.alone = 3})
            .field("at", &Threshold::at,
                   {.value = "V",
                    .limit = at_limit,
                    .slider = {0, 1, 0.005},
                    .help = "pixels with luma above this become white, the others black",
                    .contradicts = "rule",
                    .place = true})
            .field("rule", &Threshold::rule,
                   {.value = "RULE",
                    .help = "choose the threshold automatically from the histogram of luma; otsu:3 makes "
                            "three levels, up to otsu:5",
                    .contradicts = "at",
                    .alias = "method"})
            .field("bins", &Threshold::bins,
                   {.value = "N",
                    .limit = bins_limit,
                    .help =
                        "equal parts of the range in which the rule counts values of 16 bits and floats; 8 "
                        "bits always have 256",
                    .needs = "rule",
                    .standard = "65536"})
            .field("mask", &Threshold::mask,
                   {.value = "FILE",
                    .help =
                        "an image as large as IN: the rule counts pixels where it is not black. All pixels "
                        "become black or white",
                    .needs = "rule",
                    .holds_numbers = true})
            .toggle("stack", &Threshold::stack, true,
                    {.help =
                         "count all images of IN, a file of several, and give them one threshold; by default "
                         "each has its own",
                     .needs = "rule"})
            .field("range", &Threshold::range,
                   {.value = "LO,HI", .help = "pixels between two values or colours become white"})
            .field("local", &Threshold::local,
                   {.value = "RULE", .help = "choose a threshold for each pixel from its neighbourhood"})
            .field("radius", &Threshold::radius,
                   {.value = "R",
                    .unit = "pixels",
                    .limit = local_radius_limit,
                    .slider = {1, 100},
                    .help = "how far the neighbourhood reaches from its pixel",
                    .needs = "local"})
            .field("k", &Threshold::k,
                   {.value = "K",
                    .slider = {-1, 1, 0.01},
                    .help = "how far below the mean the threshold lies; for sauvola a factor, by default 0.2",
                    .needs = "local",
                    .standard = "0"})
            .field("border", &Threshold::border, local_border())
            .field("luma", &Threshold::luma, {.value = "W", .help = "how r, g and b are weighted in luma"})
            .field("variant", &Threshold::method, {.value = "M", .help = "algorithm"})
            .bench<ImageInput>(
                "variant", &Threshold::method, fixed_bench(),
                [](const Threshold& op, Context& gpu, const ImageInput& input) {
                    return why_not_measured(gpu, input, plan(op, input.image.form()));
                },
                [](const Threshold& op, Context& gpu, const ImageInput& input) {
                    return plan_workload(gpu, input, plan(op, input.image.form()));
                })
            .runs();
    return info;
}

} // namespace glproc
