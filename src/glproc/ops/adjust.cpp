#include "glproc/ops/adjust.hpp"

#include "glproc/base/error.hpp"
#include "glproc/math/colour_matrix.hpp"
#include "glproc/op/describe.hpp"

#include <cmath>

#include <fmt/format.h>

namespace glproc {

namespace {

constexpr Limit exposure_limit{-20, 20};
constexpr Limit brightness_limit{-1e6, 1e6};
constexpr Limit contrast_limit{-5, 5};
constexpr Limit saturation_limit{0, 100};
constexpr Limit hue_limit{-360, 360};
constexpr Limit modulate_limit{0, 100000};

/// Saturation is a factor, but people write 80 for 80%.
void check_saturation(const Level& saturation, const Form& form) {
    constexpr double most_bare = 10;
    check_limit("saturation", saturation, saturation_limit);
    if (form.depth != Depth::f32 && !saturation.has_unit && saturation > most_bare) {
        throw Error(
            ErrorCode::usage,
            fmt::format("--saturation {} is out of range: 1 keeps colours as they are", saturation.value),
            fmt::format("write --saturation {}%", saturation.value));
    }
}

bool is_encoded(const Adjust& op, const Form& form) {
    return form.depth != Depth::f32 || op.floats == FloatValues::srgb;
}

/// In HSL; percentages that are not given are 100.
Plan modulate_plan(const Adjust& op, const Form& form) {
    const bool is_alone = op.exposure == 0 && op.brightness.value == 0 && op.contrast == 0 && op.saturation.value == 1 && op.hue == 0;
    if (op.modulate.size() > 3 || !is_alone) {
        throw Error(ErrorCode::usage, is_alone ? "--modulate takes up to three numbers" : "adjust takes --modulate alone",
                    is_alone ? "--modulate 120,150,100" : "glproc pipe IN OUT adjust --modulate 120 then adjust --contrast 0.2");
    }
    std::vector<double> percent = op.modulate;
    percent.resize(3, 100);
    check_limit("modulate", percent[0], modulate_limit);
    check_limit("modulate", percent[1], modulate_limit);
    constexpr double degrees = 1.8; // a percent
    return point_plan(form, {.name = "modulate",
                             .glsl = "modulate.glsl",
                             .params = {static_cast<float>(percent[0] / 100), static_cast<float>(percent[1] / 100),
                                        static_cast<float>((percent[2] - 100) * degrees), is_encoded(op, form) ? 0.0F : 1.0F},
                             .defines = {{"FROM", "7"}, {"TO", "7"}},
                             .method = op.method});
}

} // namespace

Plan plan(const Adjust& op, const Form& form) {
    if (!op.modulate.empty()) {
        return modulate_plan(op, form);
    }
    check_limit("exposure", op.exposure, exposure_limit);
    check_level("brightness", op.brightness, form, white_up_or_down, brightness_limit);
    check_limit("contrast", op.contrast, contrast_limit);
    check_saturation(op.saturation, form);
    check_limit("hue", op.hue, hue_limit);
    const double light = std::exp2(op.exposure);
    const double slope = std::exp2(2 * op.contrast);
    const double offset = (op.brightness.value - 0.5) * slope + 0.5;
    const bool has_matrix = op.saturation.value != 1 || op.hue != 0;
    const std::array<double, 9> m = saturation_and_hue(op.saturation, op.hue);
    std::vector<double> numbers = {light, is_encoded(op, form) ? std::pow(light, 1 / 2.4) : 0, slope, offset,
                                   has_matrix ? 1.0 : 0.0};
    numbers.insert(numbers.end(), m.begin(), m.end());
    // Without exposure all of it is a matrix, and no pixel pays for the curve.
    const bool is_matrix = has_matrix && op.exposure == 0;
    if (is_matrix) {
        numbers = {};
        for (std::size_t row = 0; row < 9; row += 3) {
            const double sum = m[row] + m[row + 1] + m[row + 2];
            numbers.insert(numbers.end(),
                           {slope * m[row], slope * m[row + 1], slope * m[row + 2], offset * sum});
        }
    }
    return point_plan(form, {.name = "adjust",
                             .glsl = is_matrix ? "matrix.glsl" : "adjust.glsl",
                             .params = {numbers.begin(), numbers.end()},
                             .channelwise = !has_matrix,
                             .enters = !is_matrix,
                             .finite = op.exposure == 0,
                             .method = op.method});
}

const OpInfo& adjust_info() {
    static const OpInfo info =
        Describe<Adjust>("adjust", "change exposure, brightness, contrast, saturation and hue",
                         "in.png out.png --exposure 0.5")
            .example("Make colours stronger and a little warmer",
                     "photo.jpg out.jpg --saturation 1.3 --hue -4")
            .example("Brighten by half a stop", "photo.jpg out.jpg --exposure 0.5")
            .found_by({"brightness", "brighten", "--brighten"}, "IN OUT --brightness 0.1")
            .found_by({"darken"}, "IN OUT --brightness -0.1")
            .found_by({"contrast"}, "IN OUT --contrast 0.2")
            .found_by({"saturation", "saturate"}, "IN OUT --saturation 1.3")
            .found_by({"desaturate"}, "IN OUT --saturation 0")
            .found_by({"hue"}, "IN OUT --hue 30")
            .found_by({"exposure"}, "IN OUT --exposure 0.5")
            .found_by({"modulate"}, "IN OUT --modulate 120,130")
            .found_by({"-contrast"})
            .field(
                "exposure", &Adjust::exposure,
                {.value = "EV",
                 .limit = exposure_limit,
                 .slider = {-4, 4, 0.05},
                 .help =
                     "exposure in stops: multiply linear light by 2^EV. Brightness, contrast, saturation and "
                     "hue are then applied in that order"})
            .field("brightness", &Adjust::brightness,
                   {.value = "B",
                    .limit = brightness_limit,
                    .slider = {-1, 1, 0.01},
                    .help = "add this to every colour channel; 1 turns black white"})
            .field("contrast", &Adjust::contrast,
                   {.value = "C",
                    .limit = contrast_limit,
                    .slider = {-1, 1, 0.01},
                    .help = "multiply the distance from mid-grey by 4^C; 0 changes nothing"})
            .field("saturation", &Adjust::saturation,
                   {.value = "S",
                    .limit = saturation_limit,
                    .slider = {0, 3, 0.02},
                    .help = "multiply the distance from grey by S, keeping luma; 0 is grey"})
            .field("hue", &Adjust::hue,
                   {.value = "DEG",
                    .unit = "degrees",
                    .limit = hue_limit,
                    .slider = {-180, 180},
                    .help = "rotate all colours, red towards green, keeping luma"})
            .field("modulate", &Adjust::modulate,
                   {.value = "L[,S[,H]]",
                    .unit = "percent",
                    .help = "multiply lightness and saturation of HSL, and turn the hue by 1.8 degrees for each percent above 100; "
                            "this is ImageMagick's -modulate, and stands alone"})
            .field("floats", &Adjust::floats, {.value = "F", .help = "what untagged floats contain"})
            .method(&Adjust::method)
            .runs();
    return info;
}

} // namespace glproc
