// Parameters that are pixel values: one spelling, and one check, for all operations.
#pragma once

#include "glproc/image/image.hpp"
#include "glproc/image/level_text.hpp"
#include "glproc/op/field.hpp"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace glproc {

/// A value in `context.limit`. Throws Error(usage).
Level parse_level(const FieldContext& context, std::string_view text);
/// The same as parse_numbers(), for levels.
std::vector<Level> parse_levels(const FieldContext& context, std::string_view text);

/// Throws Error(usage) if a picture of integers is given a bare number beyond `usual`, which would make all
/// of it black or white, and for values beyond `possible`. Pictures of floats take any value.
void check_level(std::string_view name, const Level& level, const Form& form, const Limit& usual,
                 const Limit& possible);
/// The same for one of other numbers, which the hint then does not name.
void check_level_among(std::string_view name, const Level& level, const Form& form, const Limit& usual,
                       const Limit& possible);

/// The same for all values of a list; the hint names all of them as they were meant.
void check_levels(std::string_view name, std::span<const Level> levels, const Form& form, const Limit& usual,
                  const Limit& possible);

/// How to write `value`, which as it is lies beyond black and white: "write 128/255 for a code, or 50%".
std::string spelling_of(std::string_view prefix, double value, Depth depth);

template <>
struct FieldText<Level> {
    static Level parse(const FieldContext& c, std::string_view text) { return parse_level(c, text); }
    static std::string print(const Level& level) { return print_number(level.value); }
    static std::string range(const Limit&) { return "0.5, 50% or 128/255"; }
};

/// "A,B,C": see parse_levels().
template <>
struct FieldText<std::vector<Level>> {
    static std::vector<Level> parse(const FieldContext& c, std::string_view text) {
        return parse_levels(c, text);
    }
    static std::string print(const std::vector<Level>& levels) {
        return print_numbers({levels.begin(), levels.end()});
    }
    static std::string range(const Limit&) { return "weights as numbers, offsets as 0.5, 50% or 128/255"; }
};

template <>
struct ValueKind<Level> : ValueKind<double> {};

/// Values between black and white, and distances between two.
inline constexpr Limit between_black_and_white{0, 1};
inline constexpr Limit white_up_or_down{-1, 1};

} // namespace glproc
