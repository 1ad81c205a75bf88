#include "support/reference.hpp"

#include "support/inputs.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace glproc::test {

namespace {

int modulo(int i, int n) {
    return ((i % n) + n) % n;
}

bool has_alpha(const Reference& image) {
    return image.channels == 2 || image.channels == 4;
}

/// Runs work(x, y, channel) for every value.
template <class Work>
void each_value(const Reference& image, Work work) {
    for (int y = 0; y < image.height; ++y) {
        for (int x = 0; x < image.width; ++x) {
            for (int c = 0; c < image.channels; ++c) {
                work(x, y, c);
            }
        }
    }
}

/// The pixel beyond a constant border.
std::vector<double> constant_pixel(const Reference& image, const Border& border) {
    const auto code = [&](double value) {
        return round_to_depth(value * max_code(image.depth), image.depth);
    };
    std::vector<double> pixel(static_cast<std::size_t>(image.channels), code(border.value));
    if (border.colour) {
        const std::array<double, 3> colour{border.colour->red, border.colour->green, border.colour->blue};
        std::transform(colour.begin(), colour.begin() + std::min(image.channels, 3), pixel.begin(), code);
    }
    if (has_alpha(image)) {
        pixel.back() = border.colour ? code(border.colour->alpha) : 0;
    }
    return pixel;
}

/// border_index for −radius … n − 1 + radius, the first at index 0.
std::vector<int> index_table(BorderMode mode, int n, int radius) {
    std::vector<int> table;
    for (int i = -radius; i < n + radius; ++i) {
        table.push_back(border_index(mode, i, n));
    }
    return table;
}

int radius_of(const std::vector<double>& weights) {
    return static_cast<int>(weights.size()) / 2;
}

/// Sums along x, or along y.
Reference filter_axis(const Reference& image, const std::vector<double>& weights, bool along_x,
                      BorderMode mode, const std::vector<double>& beyond) {
    Reference result = image;
    const std::vector<int> table =
        index_table(mode, along_x ? image.width : image.height, radius_of(weights));
    each_value(image, [&](int x, int y, int c) {
        const auto first = static_cast<std::size_t>(along_x ? x : y);
        double sum = 0;
        for (std::size_t k = 0; k < weights.size(); ++k) {
            const int from = table[first + k];
            const double value = from < 0  ? beyond[static_cast<std::size_t>(c)]
                                 : along_x ? image.at(from, y, c)
                                           : image.at(x, from, c);
            sum += weights[k] * value;
        }
        result.at(x, y, c) = sum;
    });
    return result;
}

void premultiply(Reference& image) {
    each_value(image, [&](int x, int y, int c) {
        if (c < image.channels - 1) {
            image.at(x, y, c) *= image.at(x, y, image.channels - 1);
        }
    });
}

void divide_by_alpha(Reference& image) {
    each_value(image, [&](int x, int y, int c) {
        const double alpha = image.at(x, y, image.channels - 1);
        if (c < image.channels - 1) {
            image.at(x, y, c) = alpha == 0 ? 0 : image.at(x, y, c) / alpha;
        }
    });
}

} // namespace

int border_index(BorderMode mode, int i, int n) {
    switch (mode) {
    case BorderMode::clamp:
        return std::clamp(i, 0, n - 1);
    case BorderMode::mirror: {
        if (n == 1) {
            return 0;
        }
        const int period = 2 * (n - 1);
        const int j = modulo(i, period);
        return std::min(j, period - j);
    }
    case BorderMode::symmetric: {
        const int j = modulo(i, 2 * n);
        return j < n ? j : 2 * n - 1 - j;
    }
    case BorderMode::wrap:
        return modulo(i, n);
    case BorderMode::constant:
        break;
    }
    return i >= 0 && i < n ? i : -1;
}

std::vector<double> gaussian_weights(double sigma, int radius) {
    std::vector<double> weights;
    double sum = 0;
    for (int i = -radius; i <= radius; ++i) {
        weights.push_back(sigma == 0 ? (i == 0 ? 1.0 : 0.0) : std::exp(-0.5 * i * i / (sigma * sigma)));
        sum += weights.back();
    }
    for (double& weight : weights) {
        weight /= sum;
    }
    return weights;
}

std::vector<double> box_weights(int radius) {
    std::vector<double> weights(2 * static_cast<std::size_t>(radius) + 1);
    std::fill(weights.begin(), weights.end(), 1.0 / static_cast<double>(weights.size()));
    return weights;
}

int gaussian_radius(double sigma, double truncate) {
    return static_cast<int>(std::floor(truncate * sigma + 0.5));
}

Reference reference_of(const Image& image) {
    Reference result{image.width(), image.height(),          image.channels(),
                     image.depth(), max_code(image.depth()), {}};
    const int values = image.width() * image.height() * image.channels();
    result.values.resize(static_cast<std::size_t>(values));
    each_value(result, [&](int x, int y, int c) {
        result.at(x, y, c) = image.at(x, y, c);
        result.full_scale = std::max(result.full_scale, std::abs(image.at(x, y, c)));
    });
    return result;
}

Reference filter(const Image& image, const std::vector<double>& weights_x,
                 const std::vector<double>& weights_y, const Border& border, AlphaMode alpha) {
    const Reference input = reference_of(image);
    const bool premultiplied = has_alpha(input) && alpha == AlphaMode::premultiply;
    Reference result = input;
    std::vector<double> beyond = constant_pixel(input, border);
    if (premultiplied) {
        premultiply(result);
        for (std::size_t c = 0; c + 1 < beyond.size(); ++c) {
            beyond[c] *= beyond.back();
        }
    }
    result = filter_axis(result, weights_x, true, border.mode, beyond);
    result = filter_axis(result, weights_y, false, border.mode, beyond);
    if (premultiplied) {
        divide_by_alpha(result);
    }
    if (has_alpha(input) && alpha == AlphaMode::ignore) {
        for (int y = 0; y < input.height; ++y) {
            for (int x = 0; x < input.width; ++x) {
                result.at(x, y, input.channels - 1) = input.at(x, y, input.channels - 1);
            }
        }
    }
    if (border.mode == BorderMode::constant) {
        result.full_scale = std::max(result.full_scale, std::abs(border.value));
    }
    return result;
}

double round_to_depth(double code, Depth depth) {
    return depth == Depth::f32 ? code : std::nearbyint(std::clamp(code, 0.0, max_code(depth)));
}

Image rounded(const Reference& reference) {
    Image image(reference.width, reference.height, reference.channels, reference.depth);
    each_value(reference, [&](int x, int y, int c) {
        set_value(image, x, y, c,
                  round_to_depth(reference.at(x, y, c), reference.depth) / max_code(reference.depth));
    });
    return image;
}

} // namespace glproc::test
