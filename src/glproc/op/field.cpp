#include "glproc/op/field.hpp"

#include "glproc/base/number.hpp"
#include "glproc/image/level_text.hpp"
#include "glproc/op/value_words.hpp"

#include <cmath>
#include <system_error>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace glproc {

namespace {

std::string with_unit(std::string_view range, std::string_view unit) {
    return unit.empty() ? std::string(range) : fmt::format("{} {}", range, unit);
}

[[noreturn]] void not_a(std::string_view what, const FieldContext& c, std::string_view text) {
    throw Error(ErrorCode::usage, fmt::format("--{} {} is not {}", c.name, text, what),
                fmt::format("--{} takes {}", c.name, with_unit(print_limit(c.limit), c.unit)));
}

void check_range(const FieldContext& c, std::string_view text, double value) {
    if (!(value >= c.limit.low && value <= c.limit.high)) {
        throw Error(ErrorCode::usage, fmt::format("--{} {} is out of range", c.name, text),
                    fmt::format("--{} takes {}", c.name, with_unit(print_limit(c.limit), c.unit)));
    }
}

} // namespace

std::string print_limit(const Limit& limit) {
    const bool low = std::isfinite(limit.low);
    const bool high = std::isfinite(limit.high);
    if (low && high) {
        return fmt::format("{} to {}", limit.low, limit.high);
    }
    return low    ? fmt::format("{} or more", limit.low)
           : high ? fmt::format("{} or less", limit.high)
                  : "any number";
}

std::string print_number(double value) {
    return fmt::format("{}", value);
}

std::string join(const std::vector<std::string>& names, char separator) {
    return fmt::format("{}", fmt::join(names, std::string(1, separator)));
}

std::string print_numbers(const std::vector<double>& values) {
    return fmt::format("{}", fmt::join(values, ","));
}

void refuse_twice(const FieldContext& c, std::string_view text, std::string_view part) {
    throw Error(ErrorCode::usage, fmt::format("--{} {} names {} twice", c.name, text, part));
}

void check_limit(std::string_view name, double value, const Limit& limit) {
    if (!(value >= limit.low && value <= limit.high)) {
        throw Error(ErrorCode::usage, fmt::format("{} {} is out of range", name, value),
                    fmt::format("{} takes {}", name, print_limit(limit)));
    }
}

Slider slider_of(const FieldSpec& spec, FieldKind kind) {
    if (kind != FieldKind::number && kind != FieldKind::whole) {
        return {};
    }
    Slider slider = spec.slider;
    if (slider.low == slider.high) {
        constexpr double far = 1000;
        slider.low = std::max(spec.limit.low, -far);
        slider.high = std::min(spec.limit.high, far);
    }
    if (slider.step == 0) {
        slider.step = kind == FieldKind::whole
                          ? 1
                          : std::pow(10, std::ceil(std::log10((slider.high - slider.low) / 1000)));
    }
    return slider;
}

double parse_number(const FieldContext& c, std::string_view text) {
    const bool is_percentage = c.unit == "percent" || c.unit == "%";
    const std::optional<Level> share = c.unit.empty() ? level_from(text) : std::nullopt;
    if (share && share->has_unit) { // "50%" or "1/2"
        check_range(c, text, *share);
        return *share;
    }
    if (is_percentage && text.ends_with('%')) {
        text.remove_suffix(1);
    }
    double value = 0;
    const auto [end, error] = read_number(text, value);
    if (error == std::errc::invalid_argument || end != text.data() + text.size()) {
        not_a("a number", c, text);
    }
    if (error != std::errc{} || !std::isfinite(value)) {
        not_a("a finite number", c, text);
    }
    check_range(c, text, value);
    return value;
}

int parse_integer(const FieldContext& c, std::string_view text) {
    // Through double, so that a value beyond int is called out of range rather than no number.
    double value = 0;
    const auto [end, error] = read_number(text, value);
    if (error != std::errc{} || end != text.data() + text.size() || value != std::floor(value)) {
        not_a("a whole number", c, text);
    }
    check_range(c, text, value);
    return static_cast<int>(value);
}

std::vector<std::string_view> split_pair(const FieldContext& c, std::string_view text) {
    const std::size_t comma = text.find(',');
    if (comma == std::string_view::npos) {
        return {text};
    }
    if (text.find(',', comma + 1) != std::string_view::npos) {
        throw Error(ErrorCode::usage, fmt::format("--{} {} has more than two values", c.name, text),
                    fmt::format("--{0} V for both axes, or --{0} X,Y", c.name));
    }
    if (comma == 0 || comma + 1 == text.size()) {
        throw Error(ErrorCode::usage, fmt::format("--{} {} lacks a value beside the comma", c.name, text),
                    fmt::format("--{0} V for both axes, or --{0} X,Y", c.name));
    }
    return {text.substr(0, comma), text.substr(comma + 1)};
}

std::vector<std::string_view> split_numbers(const FieldContext& c, std::string_view text) {
    constexpr std::string_view separators = ",; ";
    std::vector<std::string_view> parts;
    for (std::size_t begin = text.find_first_not_of(separators); begin < text.size();
         begin = text.find_first_not_of(separators, begin)) {
        const std::size_t end = std::min(text.find_first_of(separators, begin), text.size());
        parts.push_back(text.substr(begin, end - begin));
        begin = end;
    }
    if (parts.empty()) {
        throw Error(ErrorCode::usage, fmt::format("--{} has no numbers", c.name));
    }
    return parts;
}

std::vector<double> parse_numbers(const FieldContext& c, std::string_view text) {
    std::vector<double> values;
    for (const std::string_view part : split_numbers(c, text)) {
        values.push_back(parse_number(c, part));
    }
    return values;
}

std::vector<std::string_view> split_list(std::string_view text) {
    std::vector<std::string_view> parts;
    while (true) {
        const std::size_t comma = text.find(',');
        parts.push_back(text.substr(0, comma));
        if (comma == std::string_view::npos) {
            return parts;
        }
        text.remove_prefix(comma + 1);
    }
}

Interval FieldText<Interval>::parse(const FieldContext& c, std::string_view text) {
    const auto parts = split_list(text);
    if (parts.size() != 2) {
        throw Error(ErrorCode::usage, fmt::format("--{} {} is not a pair of numbers", c.name, text),
                    fmt::format("--{} LO,HI", c.name));
    }
    const Interval value{parse_number(c, parts[0]), parse_number(c, parts[1])};
    if (value.low >= value.high) {
        throw Error(ErrorCode::usage, fmt::format("--{} {} is empty", c.name, text),
                    fmt::format("--{} LO,HI with LO below HI", c.name));
    }
    return value;
}

Colour FieldText<Colour>::parse(const FieldContext& c, std::string_view text) {
    if (const std::optional<Colour> colour = colour_from(text)) {
        return *colour;
    }
    const std::string nearest = did_you_mean(text, colour_names());
    throw Error(ErrorCode::usage,
                fmt::format("--{} {} is not a colour{}", c.name, text,
                            nearest.empty() ? "" : fmt::format(" (did you mean '{}'?)", nearest)),
                fmt::format("--{} takes {}", c.name, range({})));
}

PixelSize FieldText<PixelSize>::parse(const FieldContext& c, std::string_view text) {
    const std::size_t cross = text.find('x');
    if (cross == std::string_view::npos || cross == 0 || cross + 1 == text.size() ||
        text.find('x', cross + 1) != std::string_view::npos) {
        throw Error(ErrorCode::usage, fmt::format("--{} {} is not a size", c.name, text),
                    fmt::format("--{0} WxH, for instance --{0} 512x100", c.name));
    }
    const int width = parse_integer(c, text.substr(0, cross));
    return {width, parse_integer(c, text.substr(cross + 1))};
}

PictureFile FieldText<PictureFile>::parse(const FieldContext& c, std::string_view text) {
    if (text == "-") {
        throw Error(ErrorCode::usage, fmt::format("--{} - is not a file: stdout gets the report", c.name),
                    fmt::format("--{0} {0}.png", c.name));
    }
    return {std::string(text)};
}

ArrayFile FieldText<ArrayFile>::parse(const FieldContext& c, std::string_view text) {
    if (!text.ends_with(".npy") && !text.ends_with(".NPY")) {
        throw Error(ErrorCode::usage, fmt::format("--{} {}: not the name of a .npy file", c.name, text),
                    fmt::format("--{0} {0}.npy", c.name));
    }
    return {std::string(text)};
}

std::size_t parse_choice(std::string_view field, std::string_view text,
                         const std::vector<std::string>& choices) {
    const auto chosen = std::find(choices.begin(), choices.end(), text);
    const auto meant = chosen != choices.end()
                           ? chosen
                           : std::find(choices.begin(), choices.end(), choice_called(text, choices));
    if (meant != choices.end()) {
        return static_cast<std::size_t>(meant - choices.begin());
    }
    const std::string nearest = did_you_mean(text, choices);
    throw Error(ErrorCode::usage,
                fmt::format("unknown --{} '{}'{}", field, text,
                            nearest.empty() ? "" : fmt::format(" (did you mean '{}'?)", nearest)),
                fmt::format("one of: {}", fmt::join(choices, ", ")));
}

} // namespace glproc
