// Differences of pixel values that are written as codes, as other tools have them, or as a share of white.
#pragma once

#include "glproc/image/level_text.hpp"
#include "glproc/op/field.hpp"

#include <string>
#include <string_view>

namespace glproc {

/// A number of codes, or a share of white: 100, 40% or 100/255.
struct Codes {
    double number = 0;
    bool is_share = false;

    constexpr Codes() = default;
    constexpr Codes(double codes, bool share = false)
        : number(codes), is_share(share) {} // implicit: Canny{.low = 50}

    constexpr operator double() const { return number; } // NOLINT(google-explicit-constructor): as Level

    /// In codes, where `white` is white.
    double of(double white) const { return is_share ? number * white : number; }
};

template <>
struct FieldText<Codes> {
    /// Throws Error(usage).
    static Codes parse(const FieldContext& c, std::string_view text) {
        const std::optional<Level> level = level_from(text);
        return {parse_number(c, text), level && level->has_unit};
    }
    static std::string print(const Codes& codes) {
        return codes.is_share ? print_number(codes.number * 100) + "%" : print_number(codes.number);
    }
    static std::string range(const Limit& limit) { return print_limit(limit) + ", or 40% or 100/255"; }
};

template <>
struct ValueKind<Codes> : ValueKind<double> {};

} // namespace glproc
