// What the answers must be, computed naively in double precision. Nothing here shares code with the library:
// of its headers only the names of modes and formats are used.
#pragma once

#include "glproc/image/image.hpp"
#include "glproc/kinds/filter.hpp"

#include <cstddef>
#include <vector>

namespace glproc::test {

/// The answer before it is rounded to the image's depth: one double per channel value, in code units.
struct Reference {
    int width = 0;
    int height = 0;
    int channels = 0;
    Depth depth = Depth::u8;
    /// The largest magnitude that an error is measured against: the code of 1.0, or the input's largest
    /// value.
    double full_scale = 1;
    std::vector<double> values;

    double& at(int x, int y, int channel) { return values[index(x, y, channel)]; }
    double at(int x, int y, int channel) const { return values[index(x, y, channel)]; }

  private:
    std::size_t index(int x, int y, int channel) const {
        return (static_cast<std::size_t>(y) * static_cast<std::size_t>(width) + static_cast<std::size_t>(x)) *
                   static_cast<std::size_t>(channels) +
               static_cast<std::size_t>(channel);
    }
};

/// The index in 0 … n − 1 that stands for index i of a line of n pixels; −1 for the constant.
int border_index(BorderMode mode, int i, int n);

/// Weights at −radius … radius, which add up to 1.
std::vector<double> gaussian_weights(double sigma, int radius);
std::vector<double> box_weights(int radius);

/// The radius that belongs to sigma where none is given: ⌊truncate · sigma + 0.5⌋.
int gaussian_radius(double sigma, double truncate = 4);

/// The image as a reference: every value as it is.
Reference reference_of(const Image& image);

/// The image filtered with the product of these weights (odd numbers of them, around their middles).
Reference filter(const Image& image, const std::vector<double>& weights_x,
                 const std::vector<double>& weights_y, const Border& border, AlphaMode alpha);

/// Clamped, then rounded half to even, as integer images store it; float stays as it is.
double round_to_depth(double code, Depth depth);

/// The reference as an image of its depth.
Image rounded(const Reference& reference);

} // namespace glproc::test
