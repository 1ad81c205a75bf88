// Patterns of pixels that are set, and of pixels that are not: of the hit-or-miss transform.
#pragma once

#include "glproc/op/field.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace glproc {

/// A rectangle of cells around its middle, cell width / 2 and height / 2. No cells: no pattern.
struct HitPattern {
    enum class Cell : char { unset = '0', set = '1', any = '-' };

    int width = 0;
    int height = 0;
    std::vector<Cell> cells = {}; ///< row by row

    Cell at(int x, int y) const {
        return cells[static_cast<std::size_t>(y) * static_cast<std::size_t>(width) +
                     static_cast<std::size_t>(x)];
    }
};

/// "0 0 0; - 1 -; 1 1 1": rows end in semicolons.
template <>
struct FieldText<HitPattern> {
    static HitPattern parse(const FieldContext& c, std::string_view text);
    static std::string print(const HitPattern& pattern);
    static std::string range(const Limit&) { return "rows of 1, 0 and -"; }
};

} // namespace glproc
