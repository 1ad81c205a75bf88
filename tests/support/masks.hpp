// Masks for tests of what lies in a picture.
#pragma once

#include "glproc/image/image.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace glproc::test {

struct Mask {
    std::string name;
    int width = 0;
    int height = 0;
    std::vector<std::uint8_t> pixels; ///< 0 or any other value

    bool is_set(int x, int y) const {
        return x >= 0 && y >= 0 && x < width && y < height &&
               pixels[static_cast<std::size_t>(y) * static_cast<std::size_t>(width) +
                      static_cast<std::size_t>(x)] != 0;
    }
    /// Rows of it as a grey picture of 8 bits.
    Image image(int first_row, int rows) const;
    Image image() const { return image(0, height); }
};

/// Noise of several densities, a checkerboard, combs, a spiral, a snake, rings, nothing, everything, any
/// values.
std::vector<Mask> hostile_masks(int width, int height);

/// Of a random size up to these, and of a random kind and density.
Mask random_mask(std::uint32_t seed, int width, int height);

} // namespace glproc::test
