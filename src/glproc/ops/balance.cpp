#include "glproc/ops/balance.hpp"

#include "glproc/math/srgb.hpp"
#include "glproc/op/describe.hpp"
#include "glproc/op/findings.hpp"
#include "glproc/ops/balance/white.hpp"
#include "glproc/ops/histogram/measured.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace glproc {

namespace {

constexpr Limit kelvin_limit{1667, 25000};
constexpr Limit tint_limit{-50, 50};
constexpr std::string_view temperature_name = "temperature";

using ColourMatrix = std::array<double, 9>;

ColourMatrix diagonal(const std::array<double, 3>& gains) {
    return {gains[0], 0, 0, 0, gains[1], 0, 0, 0, gains[2]};
}

/// The operation by a matrix, or by gains: a diagonal.
bool is_curved(const Balance& op, const Form& form) {
    return form.depth != Depth::f32 || op.floats == FloatValues::srgb;
}

Point point_of(const Balance& op, const Form& form, const ColourMatrix& m) {
    const bool has_gains = op.how.method != BalanceMethod::temperature;
    std::vector<float> params(m.begin(), m.end());
    const bool curved = is_curved(op, form);
    params.push_back(curved ? 1 : 0);
    return {
        .name = "balance",
        .glsl = "balance.glsl",
        .params = std::move(params),
        .defines = {{"GAINS", has_gains ? "1" : "0"}},
        .channelwise = has_gains,
        .enters = true,
        .method = op.method};
}

/// The counts of a picture, and what its values mean.
struct CastCounts {
    const Balance& op;
    const Form& form;
    const Counted& counted;
};

/// The light of the values that a bin counts; below black there is none.
double light_of_bin(std::size_t bin, const CastCounts& of) {
    const double value = of.form.depth == Depth::f32 ? (of.counted.edge(bin) + of.counted.edge(bin + 1)) / 2
                                                     : static_cast<double>(bin) / max_code(of.form.depth);
    return std::max(is_curved(of.op, of.form) ? linear_of_srgb(value) : value, 0.0);
}

double mean_of(const ChannelCounts& channel, const CastCounts& of) {
    double sum = 0;
    double pixels = 0;
    for (std::size_t bin = 0; bin < channel.counts.size(); ++bin) {
        sum += static_cast<double>(channel.counts[bin]) * light_of_bin(bin, of);
        pixels += static_cast<double>(channel.counts[bin]);
    }
    return pixels > 0 ? sum / pixels : 0;
}

double brightest_of(const ChannelCounts& channel, const CastCounts& of) {
    for (std::size_t bin = channel.counts.size(); bin > 0; --bin) {
        if (channel.counts[bin - 1] > 0) {
            return light_of_bin(bin - 1, of);
        }
    }
    return 0;
}

/// A channel without light keeps its values.
ColourMatrix gains_of(const Balance& op, const Form& form, const Counted& counted) {
    const std::vector<ChannelCounts>& counts = counted.channels;
    const CastCounts of{op, form, counted};
    std::array<double, 3> lights{};
    std::transform(counts.begin(), counts.end(), lights.begin(), [&](const ChannelCounts& channel) {
        return op.how.method == BalanceMethod::gray_world ? mean_of(channel, of) : brightest_of(channel, of);
    });
    const double aim = op.how.method == BalanceMethod::gray_world
                           ? (lights[0] + lights[1] + lights[2]) / 3
                           : std::max({lights[0], lights[1], lights[2]});
    std::array<double, 3> gains{1, 1, 1};
    for (std::size_t c = 0; c < 3; ++c) {
        gains[c] = lights[c] > 0 ? aim / lights[c] : 1;
    }
    add_finding(fmt::format("red x {:.4g}, green x {:.4g}, blue x {:.4g}", gains[0], gains[1], gains[2]));
    return diagonal(gains);
}

/// Bit for bit the same.
Plan unchanged(const Balance& op, const Form& form) {
    return point_plan(form, {.name = "balance",
                             .glsl = "channels.glsl",
                             .params = {0, 1, 2, 3},
                             .quick = true,
                             .finite = true,
                             .method = op.method});
}

} // namespace

BalanceHow FieldText<BalanceHow>::parse(const FieldContext& context, std::string_view text) {
    if (!text.starts_with(temperature_name)) {
        std::vector<std::string> names{std::string(name_of(BalanceMethod::gray_world)),
                                       std::string(name_of(BalanceMethod::white_patch)),
                                       fmt::format("{}:K", temperature_name)};
        return enum_rows<BalanceMethod>[parse_choice(context.name, text, names)].value;
    }
    const std::string_view numbers = text.substr(std::min(text.size(), temperature_name.size() + 1));
    if (numbers.empty() || text[temperature_name.size()] != ':') {
        throw Error(ErrorCode::usage,
                    fmt::format("--{} {} does not say how warm the light was", context.name, text),
                    fmt::format("--{} temperature:3000 is that of bulbs, temperature:5500 that of the sun",
                                context.name));
    }
    const auto parts = split_pair(context, numbers);
    BalanceHow how{BalanceMethod::temperature};
    how.kelvin = parse_number({.name = context.name, .unit = "kelvin", .limit = kelvin_limit}, parts.front());
    how.tint = parts.size() > 1
                   ? parse_number({.name = context.name, .unit = "", .limit = tint_limit}, parts.back())
                   : 0;
    return how;
}

std::string FieldText<BalanceHow>::print(const BalanceHow& how) {
    if (how.method != BalanceMethod::temperature) {
        return std::string(name_of(how.method));
    }
    const std::string text = fmt::format("{}:{}", temperature_name, print_number(how.kelvin));
    return how.tint == 0 ? text : fmt::format("{},{}", text, print_number(how.tint));
}

std::string FieldText<BalanceHow>::range(const Limit&) {
    return join(FieldText<BalanceMethod>::names(), '|');
}

std::vector<Choice> FieldText<BalanceHow>::choices() {
    return FieldText<BalanceMethod>::choices();
}

Plan plan(const Balance& op, const Form& form) {
    check_limit("kelvin", op.how.kelvin, kelvin_limit);
    check_limit("tint", op.how.tint, tint_limit);
    if (form.channels < 3) {
        return unchanged(op, form);
    }
    if (op.how.method == BalanceMethod::temperature) {
        return point_plan(form, point_of(op, form, adaptation(op.how.kelvin, op.how.tint)));
    }
    Measure measure;
    measure.histogram.bins = bins_of(form);
    measure.histogram.channels = {HistogramChannel::red, HistogramChannel::green, HistogramChannel::blue};
    measure.point = [op, form](const Counted& counted) {
        return point_of(op, form, gains_of(op, form, counted));
    };
    return measured_plan(form, point_of(op, form, diagonal({1, 1, 1})), measure);
}

const OpInfo& balance_info() {
    static const OpInfo info =
        Describe<Balance>("balance", "remove a colour cast: white balance",
                          "in.png out.png --rule gray-world")
            .alias("whitebalance")
            .example("Remove the warm light of a bulb", "photo.jpg out.jpg temperature:3000")
            .example("Make the brightest spot white", "photo.jpg out.jpg white-patch")
            .found_by({"white-balance"}, "IN OUT gray-world")
            .found_by({"temperature"}, "IN OUT temperature:3000")
            .found_by({"-white-balance"})
            .field("rule", &Balance::how,
                   {.value = "RULE",
                    .help = "how to find the colour of the light",
                    .alias = "method",
                    .place = true})
            .field("floats", &Balance::floats, {.value = "F", .help = "what untagged floats contain"})
            .method(
                &Balance::method,
                {.size = "2448x1505",
                 .ladders = {{.title = "White balance of a random 2448x1505 RGBA8 image, ms",
                              .columns = {{"gray world", "2448x1505"},
                                          {"temperature", "2448x1505", {{"rule", "temperature:3000"}}}}}}})
            .runs();
    return info;
}

} // namespace glproc
