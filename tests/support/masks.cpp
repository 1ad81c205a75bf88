#include "support/masks.hpp"

#include "support/inputs.hpp"

#include <algorithm>
#include <functional>

#include <fmt/format.h>

namespace glproc::test {

namespace {

using IsSet = std::function<bool(int x, int y)>;

Mask make(const std::string& kind, int width, int height, const IsSet& is_set) {
    Mask mask{fmt::format("{} {}x{}", kind, width, height), width, height, {}};
    for (int y = 0; y < height; ++y) {
        for (int x = 0; x < width; ++x) {
            mask.pixels.push_back(is_set(x, y) ? 255 : 0);
        }
    }
    return mask;
}

IsSet noise(std::uint32_t seed, double density) {
    return [=](int x, int y) {
        return hash_01(seed, static_cast<std::uint32_t>(x), static_cast<std::uint32_t>(y)) < density;
    };
}

/// One line of a pixel's width that turns inwards, its turns a pixel apart.
Mask spiral(int width, int height) {
    Mask mask = make("spiral", width, height, [](int, int) { return false; });
    const auto put = [&](int x, int y) {
        if (x >= 0 && y >= 0 && x < width && y < height) {
            mask.pixels[static_cast<std::size_t>(y) * static_cast<std::size_t>(width) +
                        static_cast<std::size_t>(x)] = 1;
        }
    };
    int left = 0;
    int top = 0;
    int right = width - 1;
    int bottom = height - 1;
    while (left <= right && top <= bottom) {
        for (int x = left - 1; x <= right; ++x) {
            put(x, top);
        }
        for (int y = top; y <= bottom; ++y) {
            put(right, y);
        }
        for (int x = left; x <= right && bottom > top; ++x) {
            put(x, bottom);
        }
        for (int y = top + 2; y <= bottom && right > left; ++y) {
            put(left, y);
        }
        left += 2;
        top += 2;
        right -= 2;
        bottom -= 2;
    }
    return mask;
}

/// Smooth shapes, by a few waves.
IsSet blobs(std::uint32_t seed) {
    return [=](int x, int y) {
        double sum = 0;
        for (std::uint32_t wave = 0; wave < 6; ++wave) {
            const double across = hash_01(seed, wave, 1) - 0.5;
            const double down = hash_01(seed, wave, 2) - 0.5;
            const double phase = across * x + down * y + 7 * hash_01(seed, wave, 3);
            const double turn = phase - 4 * static_cast<double>(static_cast<int>(phase / 4));
            sum += turn * (4 - turn) - 2.6; // no sine, whose last bits differ from one library to the next
        }
        return sum > 0;
    };
}

} // namespace

Image Mask::image(int first_row, int rows) const {
    Image result(width, rows, 1, Depth::u8);
    const auto from = pixels.begin() + std::ptrdiff_t{first_row} * width;
    std::copy(from, from + std::ptrdiff_t{rows} * width, result.values<std::uint8_t>().begin());
    return result;
}

std::vector<Mask> hostile_masks(int width, int height) {
    std::vector<Mask> masks;
    const auto add = [&](const std::string& kind, const IsSet& is_set) {
        masks.push_back(make(kind, width, height, is_set));
    };
    add("nothing", [](int, int) { return false; });
    add("everything", [](int, int) { return true; });
    for (const double density : {0.02, 0.5, 0.593, 0.98}) {
        add(fmt::format("noise of {}", density), noise(7, density));
    }
    add("checkerboard", [](int x, int y) { return (x + y) % 2 == 0; });
    add("comb joined below", [=](int x, int y) { return x % 2 == 0 || y == height - 1; });
    add("comb joined on the right", [=](int x, int y) { return y % 2 == 0 || x == width - 1; });
    add("snake",
        [=](int x, int y) { return y % 2 == 0 || (y % 4 == 1 && x == width - 1) || (y % 4 == 3 && x == 0); });
    add("snake of columns", [=](int x, int y) {
        return x % 2 == 0 || (x % 4 == 1 && y == height - 1) || (x % 4 == 3 && y == 0);
    });
    add("rings", [=](int x, int y) { return std::min({x, y, width - 1 - x, height - 1 - y}) % 2 == 0; });
    add("diagonals", [](int x, int y) { return (x + 2 * y) % 5 == 0 || (x - y + 4096) % 7 == 0; });
    add("blobs", blobs(3));
    masks.push_back(spiral(width, height));
    return masks;
}

Mask random_mask(std::uint32_t seed, int width, int height) {
    const int columns = 1 + static_cast<int>(hash_01(seed, 1) * width);
    const int rows = 1 + static_cast<int>(hash_01(seed, 2) * height);
    const double density = hash_01(seed, 3);
    const auto scale = static_cast<int>(1 + hash_01(seed, 4) * hash_01(seed, 5) * 12); // of a grain
    const IsSet grains = noise(seed, density);
    return make(fmt::format("random mask {}", seed), columns, rows,
                [=](int x, int y) { return grains(x / scale, y / scale); });
}

} // namespace glproc::test
