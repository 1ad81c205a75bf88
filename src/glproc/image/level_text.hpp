// A value of a picture as people write it: 0.5, 50% or 128/255.
#pragma once

#include <optional>
#include <string_view>

namespace glproc {

/// A value of a picture, or the distance between two: 0 is black and 1 white, whatever the depth.
struct Level {
    double value = 0;
    /// Whether it was written as a percentage or as a code of so many. A bare number may be a slip: 128 for
    /// 128/255.
    bool has_unit = false;

    constexpr Level() = default;
    constexpr Level(double v, bool unit = false)
        : value(v), has_unit(unit) {} // implicit: Threshold{.at = 0.5}
    constexpr operator double() const { return value; }
};

/// "0.5", "50%" or "128/255", finite; nothing for any other text.
std::optional<Level> level_from(std::string_view text);

} // namespace glproc
