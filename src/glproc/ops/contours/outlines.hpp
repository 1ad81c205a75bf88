// The outlines of a picture, as they are found.
#pragma once

#include "glproc/image/image.hpp"

#include <array>
#include <cstddef>
#include <vector>

namespace glproc {

/// Pixel (x, y) has its centre there.
struct OutlinePoint {
    double x = 0;
    double y = 0;
    bool operator==(const OutlinePoint&) const = default;
};

/// One of them; the others are counted from 0, and -1 is none.
struct Outline {
    std::size_t first = 0; ///< its points
    std::size_t count = 0;
    int next = -1;     ///< with the same parent
    int previous = -1; ///< likewise
    int child = -1;    ///< the first one
    int parent = -1;   ///< around it
    bool is_hole = false;
};

/// The smallest box around points. Pixels have a width, points of a line have none.
struct OutlineBox {
    double left = 0;
    double top = 0;
    double width = 0;
    double height = 0;
};

struct Outlines {
    Form picture;
    bool are_lines = false; ///< at a level, and not through pixels
    std::vector<Outline> outlines = {};
    std::vector<std::array<int, 2>> pixels = {}; ///< x and y of the points of all
    std::vector<OutlinePoint> lines = {};        ///< or these

    OutlinePoint point(const Outline& outline, std::size_t i) const {
        return are_lines ? lines[outline.first + i]
                         : OutlinePoint{static_cast<double>(pixels[outline.first + i][0]),
                                        static_cast<double>(pixels[outline.first + i][1])};
    }
    /// Whether the end of a line is its beginning. Outlines of pixels always close.
    bool is_closed(const Outline& outline) const {
        return !are_lines || point(outline, 0) == point(outline, outline.count - 1);
    }
    /// Of the polygon through the points. It is exact where these are pixels.
    double area(const Outline& outline) const;
    OutlineBox box(const Outline& outline) const;
};

} // namespace glproc
