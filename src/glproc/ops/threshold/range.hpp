// Pixels between two values, or between two colours.
#pragma once

#include "glproc/kinds/point.hpp"
#include "glproc/op/level.hpp"

#include <array>
#include <string>
#include <string_view>

namespace glproc {

/// The lowest and the highest value of red, green and blue, both included.
struct LevelRange {
    std::array<Level, 3> low = {};
    std::array<Level, 3> high = {};
    bool low_is_colour = false;  ///< encoded by sRGB, as "#ff8800" is
    bool high_is_colour = false; ///< likewise

    bool is_grey() const;
};

/// "LO,HI", where each is a level or a colour without commas; or six levels.
template <>
struct FieldText<LevelRange> {
    static LevelRange parse(const FieldContext& context, std::string_view text);
    static std::string print(const LevelRange& range);
    static LevelRange in_light(const LevelRange& range);
    static std::string range(const Limit&) {
        return "two values, two colours, or six values: r, g, b of both";
    }
};

/// White where every colour is in the range, else black; alpha is kept. Throws Error(usage) for a range that
/// cannot hold a pixel of this form.
Point range_point(const LevelRange& range, const Form& form, PointMethod method);

} // namespace glproc
