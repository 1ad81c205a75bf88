// Rows of a reference that computes whole images.
#pragma once

#include "glproc/image/image.hpp"

#include <span>
#include <vector>

namespace glproc {

/// The values of some rows, as Reference::rows returns them.
inline std::vector<double> values_in_rows(const Image& whole, std::span<const int> rows) {
    std::vector<double> values;
    values.reserve(rows.size() * static_cast<std::size_t>(whole.width() * whole.channels()));
    for (const int y : rows) {
        for (int x = 0; x < whole.width(); ++x) {
            for (int c = 0; c < whole.channels(); ++c) {
                values.push_back(whole.at(x, y, c));
            }
        }
    }
    return values;
}

} // namespace glproc
