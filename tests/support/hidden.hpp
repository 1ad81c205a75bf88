// Pictures with pixels that cannot be seen.
#pragma once

#include "support/inputs.hpp"

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

} // namespace glproc::test
