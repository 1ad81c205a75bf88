// Pictures for tests: every maker gives the same image for the same arguments, on every machine.
#pragma once

#include "glproc/image/image.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace glproc::test {

using Shape = Form;

/// "17x33, 3 channels, u16"
std::string describe(const Shape& shape);
std::string describe(const Image& image);
std::string name_of(Depth depth);

/// What float images hold: values from 0 to 1, or also negative ones and ones beyond 1. Alpha always stays
/// within 0 to
/// 1. Integer images use all their codes whatever this says.
enum class FloatRange { unit, wide };

/// Noise, every value on its own. Tests name the seed with INFO, so that a failure can be repeated.
Image random_image(const Shape& shape, std::uint32_t seed = 1, FloatRange range = FloatRange::unit);

/// Every channel of every pixel has this value: 0 to 1, whatever the depth.
Image constant_image(const Shape& shape, double value);

/// Only the two codes of `low` and `high` (0 to 1), by noise: every pixel is an edge.
Image two_valued_image(const Shape& shape, double low = 0, double high = 1, std::uint32_t seed = 1);

/// From 0 at the top left to 1 at the bottom right; the channels differ in direction.
Image gradient_image(const Shape& shape);

/// Zero but for the pixel at (x, y), all of whose channels are 1.
Image impulse_image(const Shape& shape, int x, int y);

/// Smooth shapes, hard edges and texture, as a photograph has them; with transparent and opaque parts where
/// there is alpha.
Image photo_like_image(const Shape& shape, std::uint32_t seed = 1);

/// Sizes where kernels go wrong: 1×1, single rows and columns, primes, and around each power of two up to 64.
struct Size {
    int width;
    int height;
};
const std::vector<Size>& awkward_sizes();

/// Writes a channel value given as 0 to 1 (float: as it is), rounded to the image's depth.
void set_value(Image& image, int x, int y, int channel, double value);

/// A number from 0 to 1 that depends on nothing but its arguments.
double hash_01(std::uint32_t seed, std::uint32_t a, std::uint32_t b = 0, std::uint32_t c = 0);

} // namespace glproc::test
