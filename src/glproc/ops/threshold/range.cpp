#include "glproc/ops/threshold/range.hpp"

#include "glproc/image/colour.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace glproc {

namespace {

constexpr Limit range_limit{-1e30, 1e30};

/// Three times the same level, or the colours of a colour.
std::array<Level, 3> levels_of(const FieldContext& context, std::string_view text, bool& is_colour) {
    if (!level_from(text)) {
        if (const std::optional<Colour> colour = colour_from(text)) {
            is_colour = true;
            return {Level{colour->red, true}, Level{colour->green, true}, Level{colour->blue, true}};
        }
    }
    const Level level = parse_level(context, text);
    return {level, level, level};
}

std::array<Level, 3> light_of(const std::array<Level, 3>& levels) {
    const Colour light = glproc::light_of(Colour{levels[0].value, levels[1].value, levels[2].value});
    return {Level{light.red, true}, Level{light.green, true}, Level{light.blue, true}};
}

/// The lowest and the highest value that count, in codes of integers. A bound that is a code except for its
/// last bits, as 0.2 is 51 / 255, counts as that code.
std::vector<float> bounds_of(const LevelRange& range, const Form& form) {
    constexpr double slack = 1e-6;
    const double full = max_code(form.depth);
    const auto bound = [&](const Level& level, bool is_low) {
        const double code = std::clamp(level.value * full, -1.0, full + 1);
        return form.depth == Depth::f32 ? level.value : is_low ? std::ceil(code - slack) : std::floor(code + slack);
    };
    std::vector<float> bounds;
    for (const Level& low : range.low) {
        bounds.push_back(static_cast<float>(bound(low, true)));
    }
    for (const Level& high : range.high) {
        bounds.push_back(static_cast<float>(bound(high, false)));
    }
    return bounds;
}

void check(const LevelRange& range, const Form& form) {
    std::vector<Level> levels{range.low[0], range.high[0]};
    if (!range.is_grey()) {
        levels.assign(range.low.begin(), range.low.end());
        levels.insert(levels.end(), range.high.begin(), range.high.end());
    }
    check_levels("range", levels, form, between_black_and_white, range_limit);
    for (std::size_t c = 0; c < 3; ++c) {
        if (range.low[c] > range.high[c]) {
            throw Error(ErrorCode::usage,
                        fmt::format("--range {:.6g},{:.6g} is empty: the first value is above the second",
                                    range.low[c].value, range.high[c].value),
                        "write the lower one first: --range 20%,60%");
        }
    }
    if (form.channels < 3 && !range.is_grey()) {
        throw Error(ErrorCode::usage, "the range is one of colours, but the image is grey",
                    "give two values, such as --range 20%,60%");
    }
}

} // namespace

bool LevelRange::is_grey() const {
    const auto is_same = [](const std::array<Level, 3>& levels) {
        return levels[0].value == levels[1].value && levels[1].value == levels[2].value;
    };
    return is_same(low) && is_same(high);
}

LevelRange FieldText<LevelRange>::parse(const FieldContext& context, std::string_view text) {
    const std::vector<std::string_view> parts = split_list(text);
    LevelRange result;
    if (parts.size() == 2) {
        result.low = levels_of(context, parts[0], result.low_is_colour);
        result.high = levels_of(context, parts[1], result.high_is_colour);
        return result;
    }
    if (parts.size() != 6) {
        throw Error(ErrorCode::usage, fmt::format("--{} {} is not a range", context.name, text),
                    fmt::format("--{} takes {}", context.name, range({})));
    }
    for (std::size_t c = 0; c < 3; ++c) {
        result.low[c] = parse_level(context, parts[c]);
        result.high[c] = parse_level(context, parts[c + 3]);
    }
    return result;
}

LevelRange FieldText<LevelRange>::in_light(const LevelRange& range) {
    LevelRange result = range;
    result.low = range.low_is_colour ? light_of(range.low) : range.low;
    result.high = range.high_is_colour ? light_of(range.high) : range.high;
    return result;
}

std::string FieldText<LevelRange>::print(const LevelRange& range) {
    const auto text = [](const Level& level) { return print_number(level.value); };
    if (range.is_grey()) {
        return text(range.low[0]) + "," + text(range.high[0]);
    }
    std::vector<std::string> parts;
    for (const auto& levels : {range.low, range.high}) {
        std::transform(levels.begin(), levels.end(), std::back_inserter(parts), text);
    }
    return fmt::format("{}", fmt::join(parts, ","));
}

Point range_point(const LevelRange& range, const Form& form, PointMethod method) {
    check(range, form);
    std::vector<float> params = bounds_of(range, form);
    params.push_back(code_unit(form));
    return {.name = "threshold",
            .glsl = "threshold/range.glsl",
            .params = std::move(params),
            .channelwise = form.channels < 3,
            .method = method};
}

} // namespace glproc
