#include "glproc/ops/contours/outlines.hpp"

#include <algorithm>
#include <cmath>

namespace glproc {

double Outlines::area(const Outline& outline) const {
    double twice = 0; // whole numbers below 2^53, where points are pixels
    OutlinePoint before = point(outline, outline.count - 1);
    for (std::size_t i = 0; i < outline.count; ++i) {
        const OutlinePoint now = point(outline, i);
        twice += before.x * now.y - before.y * now.x;
        before = now;
    }
    return std::abs(twice) / 2;
}

OutlineBox Outlines::box(const Outline& outline) const {
    OutlinePoint least = point(outline, 0);
    OutlinePoint most = least;
    for (std::size_t i = 1; i < outline.count; ++i) {
        const OutlinePoint now = point(outline, i);
        least = {std::min(least.x, now.x), std::min(least.y, now.y)};
        most = {std::max(most.x, now.x), std::max(most.y, now.y)};
    }
    const double pixel = are_lines ? 0 : 1;
    return {least.x, least.y, most.x - least.x + pixel, most.y - least.y + pixel};
}

} // namespace glproc
