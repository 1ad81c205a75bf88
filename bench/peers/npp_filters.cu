// NPP: what sums weighted neighbours. Borders repeat.
#include "npp.hpp"
#include "npp_rows.hpp"

#include <nppi_filtering_functions.h>

#include <numeric>

namespace peers::npp {

namespace {

/// Of a picture of four channels, read once and written once.
double least_bytes(const Picture& picture) {
    return 8.0 * static_cast<double>(picture.size.pixels());
}

/// Weights of a side of 2 radius + 1, that add up to 1.
std::vector<float> gaussian(double sigma, int radius) {
    std::vector<double> weights;
    for (int i = -radius; i <= radius; ++i) {
        weights.push_back(std::exp(-i * i / (2 * sigma * sigma)));
    }
    const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
    std::vector<float> normalised;
    for (const double weight : weights) {
        normalised.push_back(static_cast<float>(weight / sum));
    }
    return normalised;
}

/// One channel of one pixel, filtered along both axes.
double filtered(const Picture& picture, const std::vector<float>& weights, int x, int y, int channel) {
    const int radius = static_cast<int>(weights.size()) / 2;
    double sum = 0;
    for (int j = -radius; j <= radius; ++j) {
        double row = 0;
        for (int i = -radius; i <= radius; ++i) {
            row += weights[i + radius] * picture.sample(x + i, y + j, channel);
        }
        sum += weights[j + radius] * row;
    }
    return sum;
}

/// The same by a square of weights, row by row.
double correlated(const Picture& picture, const std::vector<float>& square, int x, int y, int channel) {
    const int side = static_cast<int>(std::lround(std::sqrt(square.size())));
    double sum = 0;
    for (int j = 0; j < side; ++j) {
        for (int i = 0; i < side; ++i) {
            sum += square[j * side + i] * picture.sample(x + i - side / 2, y + j - side / 2, channel);
        }
    }
    return sum;
}

double to_code(double value) {
    return std::clamp(value, 0.0, 255.0);
}

/// Half turns leave it as it is, so that it does not matter which way round a library takes it; of full rank.
std::vector<float> square_kernel(int side) {
    std::vector<float> square;
    double sum = 0;
    for (int j = -side / 2; j <= side / 2; ++j) {
        for (int i = -side / 2; i <= side / 2; ++i) {
            square.push_back(
                static_cast<float>(2 + std::cos(1.7 * i * j) + std::sin(0.9 * i) * std::sin(0.4 * j)));
            sum += square.back();
        }
    }
    for (float& weight : square) {
        weight /= static_cast<float>(sum);
    }
    return square;
}

/// On the device.
class Weights {
  public:
    explicit Weights(const std::vector<float>& weights) : array_(weights.size()) {
        peers::check(cudaMemcpy(array_.data(), weights.data(), weights.size() * sizeof(float),
                                cudaMemcpyHostToDevice));
    }
    const float* data() const { return array_.data(); }

  private:
    DeviceArray<float> array_;
};

} // namespace

void blur(Report& report, const Picture& picture) {
    const Size size = picture.size;
    const DeviceArray<std::uint8_t> out(4 * size.pixels());
    for (const auto& [sigma, radius] : {std::pair{2, 6}, std::pair{10, 30}}) {
        const std::vector<float> weights = gaussian(sigma, radius);
        const Weights kernel(weights);
        const int taps = static_cast<int>(weights.size());
        report.variant(
            "NPP FilterGaussAdvancedBorder sigma " + std::to_string(sigma) + ", " + std::to_string(taps) +
                " taps",
            least_bytes(picture),
            [&] {
                check(nppiFilterGaussAdvancedBorder_8u_C4R_Ctx(
                    picture.bytes.data(), step_of(size), extent(size), {0, 0}, out.data(), step_of(size),
                    extent(size), taps, const_cast<float*>(kernel.data()), NPP_BORDER_REPLICATE, context()));
            },
            [&, &weights = weights] { // within a step and a half: it rounds between its passes
                return right_in_places(
                    size, out, [&](int x, int y, int c) { return filtered(picture, weights, x, y, c); }, 1.5);
            });
    }
}

void box(Report& report, const Picture& picture) {
    const Size size = picture.size;
    const DeviceArray<std::uint8_t> out(4 * size.pixels());
    for (const int radius : {5, 15, 100}) {
        const int side = 2 * radius + 1;
        const std::vector<float> weights(side, 1.0F / static_cast<float>(side));
        report.variant(
            "NPP FilterBoxBorder radius " + std::to_string(radius), least_bytes(picture),
            [&] {
                check(nppiFilterBoxBorder_8u_C4R_Ctx(
                    picture.bytes.data(), step_of(size), extent(size), {0, 0}, out.data(), step_of(size),
                    extent(size), {side, side}, {radius, radius}, NPP_BORDER_REPLICATE, context()));
            },
            [&] {
                return right_in_places(
                    size, out, [&](int x, int y, int c) { return filtered(picture, weights, x, y, c); }, 1.5);
            });
    }
}

void sobel(Report& report, const Picture& picture) {
    const Size size = picture.size;
    const DeviceArray<std::uint8_t> out(4 * size.pixels());
    const std::vector<float> kernel{-1, -2, -1, 0, 0, 0, 1, 2, 1};
    report.variant(
        "NPP FilterSobelHorizBorder, one direction", least_bytes(picture),
        [&] {
            check(nppiFilterSobelHorizBorder_8u_C4R_Ctx(picture.bytes.data(), step_of(size), extent(size),
                                                        {0, 0}, out.data(), step_of(size), extent(size),
                                                        NPP_BORDER_REPLICATE, context()));
        },
        [&] {
            return right_in_places(
                size, out, [&](int x, int y, int c) { return to_code(correlated(picture, kernel, x, y, c)); },
                0);
        });
}

void laplacian(Report& report, const Picture& picture) {
    const Size size = picture.size;
    const DeviceArray<std::uint8_t> out(4 * size.pixels());
    const std::vector<float> kernel{-1, -1, -1, -1, 8, -1, -1, -1, -1};
    report.variant(
        "NPP FilterLaplaceBorder 3x3, 8 neighbours", least_bytes(picture),
        [&] {
            check(nppiFilterLaplaceBorder_8u_C4R_Ctx(picture.bytes.data(), step_of(size), extent(size),
                                                     {0, 0}, out.data(), step_of(size), extent(size),
                                                     NPP_MASK_SIZE_3_X_3, NPP_BORDER_REPLICATE, context()));
        },
        [&] {
            return right_in_places(
                size, out, [&](int x, int y, int c) { return to_code(correlated(picture, kernel, x, y, c)); },
                0);
        });
}

void unsharp(Report& report, const Picture& picture) {
    const Size size = picture.size;
    const DeviceArray<std::uint8_t> out(4 * size.pixels());
    constexpr int radius = 6;
    constexpr float sigma = 2;
    const std::vector<float> weights = gaussian(sigma, radius);
    Bytes bytes;
    check(nppiFilterUnsharpGetBufferSize_8u_C4R(radius, sigma, bytes));
    const DeviceArray<Npp8u> scratch(std::max<std::size_t>(bytes.count(), 1));
    report.variant(
        "NPP FilterUnsharpBorder sigma 2, radius 6", least_bytes(picture),
        [&] {
            check(nppiFilterUnsharpBorder_8u_C4R_Ctx(picture.bytes.data(), step_of(size), {0, 0}, out.data(),
                                                     step_of(size), extent(size), radius, sigma, 1, 0,
                                                     NPP_BORDER_REPLICATE, scratch.data(), context()));
        },
        [&] {
            const auto truth = [&](int x, int y, int c) {
                const double value = picture.sample(x, y, c);
                return to_code(2 * value - filtered(picture, weights, x, y, c));
            };
            // It is told neither where the picture ends nor which part of it this is: the border is left out.
            return right_in_places(size, out, truth, 1.5, Places::inside);
        });
}

void convolve(Report& report, const Picture& picture) {
    const Size size = picture.size;
    const DeviceArray<std::uint8_t> out(4 * size.pixels());
    for (const int side : {5, 15}) {
        const std::vector<float> square = square_kernel(side);
        const Weights kernel(square);
        report.variant(
            "NPP FilterBorder32f " + std::to_string(side) + "x" + std::to_string(side), least_bytes(picture),
            [&] {
                check(nppiFilterBorder32f_8u_C4R_Ctx(picture.bytes.data(), step_of(size), extent(size),
                                                     {0, 0}, out.data(), step_of(size), extent(size),
                                                     kernel.data(), {side, side}, {side / 2, side / 2},
                                                     NPP_BORDER_REPLICATE, context()));
            },
            [&] {
                return right_in_places(
                    size, out, [&](int x, int y, int c) { return correlated(picture, square, x, y, c); }, 1);
            });
    }
}

} // namespace peers::npp
