#include "glproc/ops/components/sums.hpp"

#include <algorithm>
#include <cstddef>

namespace glproc {

void ComponentSums::join(const ComponentSums& other) {
    area += other.area;
    x += other.x;
    y += other.y;
    xx += other.xx;
    xy += other.xy;
    yy += other.yy;
    left = std::min(left, other.left);
    top = std::min(top, other.top);
    right = std::max(right, other.right);
    bottom = std::max(bottom, other.bottom);
}

void ComponentSums::move_down(int rows) {
    if (area == 0) {
        return;
    }
    const auto by = static_cast<std::uint64_t>(rows);
    yy += WideSum{2} * by * y + WideSum{by} * by * area;
    xy += WideSum{by} * x;
    y += by * area;
    top += rows;
    bottom += rows;
}

ComponentSums sums_of_words(std::span<const std::uint32_t> words) {
    const auto long_sum = [&](std::size_t at) { return std::uint64_t{words[at + 1]} << 32U | words[at]; };
    ComponentSums sums;
    if (words[0] == 0) {
        return sums;
    }
    sums.area = words[0];
    sums.left = static_cast<int>(~words[1]);
    sums.right = static_cast<int>(words[2]);
    sums.top = static_cast<int>(~words[3]);
    sums.bottom = static_cast<int>(words[4]);
    sums.x = long_sum(5);
    sums.y = long_sum(7);
    if (words.size() == static_cast<std::size_t>(sum_words(true))) {
        sums.xx = long_sum(9);
        sums.xy = long_sum(11);
        sums.yy = long_sum(13);
    }
    return sums;
}

} // namespace glproc
