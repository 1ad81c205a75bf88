// Pictures with pixels that cannot be seen.
#pragma once

#include "support/inputs.hpp"
#include "support/reference.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace glproc::test {

inline bool is_hidden(const Image& image, int x, int y) {
    return image.has_alpha() && image.at(x, y, image.channels() - 1) == 0;
}

/// A third of the pixels get alpha 0, and the colours of most of those are black or white, so that it shows where they count. No
/// other pixel has alpha 0.
inline Image with_hidden_pixels(Image image, std::uint32_t seed = 1) {
    const int last = image.channels() - 1;
    for (int y = 0; y < image.height() && image.has_alpha(); ++y) {
        for (int x = 0; x < image.width(); ++x) {
            const double chance = hash_01(seed, static_cast<std::uint32_t>(x), static_cast<std::uint32_t>(y), 77);
            if (chance >= 1.0 / 3) {
                if (is_hidden(image, x, y)) {
                    set_value(image, x, y, last, 0.5);
                }
                continue;
            }
            set_value(image, x, y, last, 0);
            for (int c = 0; c < last && chance < 0.3; ++c) {
                set_value(image, x, y, c, chance < 0.1 ? 0 : 1);
            }
        }
    }
    return image;
}

/// Hidden pixels get the mean colour of the visible ones in the smallest square around them that has any, up to `reach` away.
inline Image with_hidden_filled(const Image& image, int reach, BorderMode border = BorderMode::clamp) {
    Image result = image;
    const double full = max_code(image.depth());
    for (int y = 0; y < image.height(); ++y) {
        for (int x = 0; x < image.width(); ++x) {
            for (int c = 0; c + 1 < image.channels() && is_hidden(image, x, y); ++c) {
                double sum = 0;
                int count = 0;
                for (int d = 1; d <= reach && count == 0; ++d) {
                    for (int i = 0; i < (2 * d + 1) * (2 * d + 1); ++i) {
                        const int dx = i % (2 * d + 1) - d;
                        const int dy = i / (2 * d + 1) - d;
                        const int u = border_index(border, x + dx, image.width());
                        const int v = border_index(border, y + dy, image.height());
                        if (std::max(std::abs(dx), std::abs(dy)) == d && u >= 0 && v >= 0 && !is_hidden(image, u, v)) {
                            sum += image.at(u, v, c);
                            ++count;
                        }
                    }
                }
                set_value(result, x, y, c, count == 0 ? 0 : round_to_depth(sum / count, image.depth()) / full);
            }
        }
    }
    return result;
}

} // namespace glproc::test
