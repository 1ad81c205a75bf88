// A range of values.
#pragma once

namespace glproc {

/// The values from `low` to `high`.
struct Interval {
    double low = 0;
    double high = 1;
    bool operator==(const Interval&) const = default;
};

} // namespace glproc
