#include "support/component_reference.hpp"

namespace glproc::test {

Found reference_components(const Mask& mask, Connectivity connectivity) {
    Found found{Labels(mask.pixels.size()), {}};
    std::vector<int> open;
    for (int start = 0; start < mask.width * mask.height; ++start) {
        if (!mask.is_set(start % mask.width, start / mask.width) || found.labels[start] != 0) {
            continue;
        }
        ComponentSums& sums = found.table.emplace_back();
        const auto label = static_cast<std::uint32_t>(found.table.size());
        found.labels[start] = label;
        for (open.push_back(start); !open.empty();) {
            const int x = open.back() % mask.width;
            const int y = open.back() / mask.width;
            open.pop_back();
            ComponentSums pixel{1,
                                std::uint64_t(x),
                                std::uint64_t(y),
                                WideSum(x) * x,
                                WideSum(x) * y,
                                WideSum(y) * y,
                                x,
                                y,
                                x,
                                y};
            sums.join(pixel);
            for (int dy = -1; dy <= 1; ++dy) {
                for (int dx = -1; dx <= 1; ++dx) {
                    const bool neighbour = connectivity == Connectivity::eight || dx == 0 || dy == 0;
                    const int place = (y + dy) * mask.width + x + dx;
                    if (neighbour && mask.is_set(x + dx, y + dy) && found.labels[place] == 0) {
                        found.labels[place] = label;
                        open.push_back(place);
                    }
                }
            }
        }
    }
    return found;
}

Mask without_holes(const Mask& mask, Connectivity connectivity) {
    Mask background = mask;
    for (std::uint8_t& pixel : background.pixels) {
        pixel = pixel == 0 ? 1 : 0;
    }
    const Found parts = reference_components(
        background, connectivity == Connectivity::eight ? Connectivity::four : Connectivity::eight);
    Mask filled = mask;
    for (std::size_t i = 0; i < filled.pixels.size(); ++i) {
        const std::uint32_t label = parts.labels[i];
        if (label != 0) {
            const ComponentSums& part = parts.table[label - 1];
            const bool is_outside = part.left == 0 || part.top == 0 || part.right == mask.width - 1 ||
                                    part.bottom == mask.height - 1;
            filled.pixels[i] = is_outside ? 0 : 1;
        }
    }
    return filled;
}

} // namespace glproc::test
