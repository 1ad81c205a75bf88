#include "glproc/op/level.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace glproc {

Level parse_level(const FieldContext& c, std::string_view text) {
    const std::optional<Level> level = level_from(text);
    if (!level) {
        throw Error(
            ErrorCode::usage, fmt::format("--{} {} is not a pixel value", c.name, text),
            fmt::format("--{} takes a fraction of white (0.5), a percentage (50%) or a value out of white "
                        "(128/255)",
                        c.name));
    }
    check_limit(fmt::format("--{}", c.name), *level, c.limit);
    return *level;
}

std::vector<Level> parse_levels(const FieldContext& c, std::string_view text) {
    std::vector<Level> levels;
    for (const std::string_view part : split_numbers(c, text)) {
        levels.push_back(parse_level(c, part));
    }
    return levels;
}

std::string spelling_of(std::string_view prefix, double value, Depth depth) {
    constexpr double most_percent = 100;
    const double code = std::abs(value);
    const double full =
        code > max_code(Depth::u8) || depth == Depth::u16 ? max_code(Depth::u16) : max_code(Depth::u8);
    if (value != std::floor(value) || code > full) {
        return fmt::format("0 is black and 1 white; if it is meant, write {}{:.6g}%", prefix,
                           value * most_percent);
    }
    const double exact = value / full * most_percent;
    const double percent = code <= most_percent  ? value
                           : std::abs(exact) < 1 ? std::round(10 * exact) / 10 // not 0%, which is black
                                                 : std::round(exact);
    return fmt::format("write {0}{1}/{2} or {0}{3}%", prefix, value, full, percent);
}

namespace {

bool is_usual(const Level& level, const Form& form, const Limit& usual) {
    return form.depth == Depth::f32 || level.has_unit || (level >= usual.low && level <= usual.high);
}

Error beyond(std::string_view name, const Level& level, const std::string& hint) {
    return {ErrorCode::usage,
            fmt::format("--{} {} is out of range: 0 is black and 1 white", name, level.value), hint};
}

/// Codes, as OpenCV and ImageMagick count them, as fractions; nothing where they are none.
std::optional<std::string> codes_as_fractions(std::span<const Level> levels, const Form& form) {
    const double most = *std::ranges::max_element(levels);
    const double full =
        most > max_code(Depth::u8) || form.depth == Depth::u16 ? max_code(Depth::u16) : max_code(Depth::u8);
    std::vector<std::string> fractions;
    for (const Level& level : levels) {
        if (level.has_unit || level < 0 || level > full || level != std::floor(level)) {
            return std::nullopt;
        }
        const bool is_white = level == full || level == 1; // which nobody means as a code
        fractions.push_back(level == 0 ? "0" : is_white ? "1" : fmt::format("{}/{}", level.value, full));
    }
    return fmt::format("{}", fmt::join(fractions, ","));
}

} // namespace

void check_level(std::string_view name, const Level& level, const Form& form, const Limit& usual,
                 const Limit& possible) {
    check_limit(name, level, possible);
    if (!is_usual(level, form, usual)) {
        throw beyond(name, level, spelling_of(fmt::format("--{} ", name), level, form.depth));
    }
}

void check_level_among(std::string_view name, const Level& level, const Form& form, const Limit& usual,
                       const Limit& possible) {
    check_limit(name, level, possible);
    if (!is_usual(level, form, usual)) {
        throw beyond(name, level, spelling_of("", level, form.depth));
    }
}

void check_levels(std::string_view name, std::span<const Level> levels, const Form& form, const Limit& usual,
                  const Limit& possible) {
    for (const Level& level : levels) {
        check_limit(name, level, possible);
    }
    const auto found =
        std::ranges::find_if(levels, [&](const Level& level) { return !is_usual(level, form, usual); });
    if (found == levels.end()) {
        return;
    }
    const std::optional<std::string> fractions = codes_as_fractions(levels, form);
    throw beyond(name, *found,
                 fractions ? fmt::format("write --{} {}", name, *fractions)
                           : spelling_of("", *found, form.depth));
}

} // namespace glproc
