// NPP: Gaussian, mean, histogram and integral image.
#include "measure.hpp"

#ifndef PEERS_HAVE_NPP

namespace peers {
void histogram_with_npp(Report&, const Picture&) {}
void blur_with_npp(Report&, const Picture&) {}
void box_with_npp(Report&, const Picture&) {}
void integral_with_npp(Report&, const Picture&) {}
} // namespace peers

#else

#include <nppi_filtering_functions.h>
#include <nppi_statistics_functions.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace peers {

namespace {

void check(NppStatus status) {
    if (status != NPP_SUCCESS) {
        throw std::runtime_error("NPP status " + std::to_string(static_cast<int>(status)));
    }
}

NppStreamContext context() {
    NppStreamContext context{};
    cudaDeviceProp device{};
    peers::check(cudaGetDevice(&context.nCudaDeviceId));
    peers::check(cudaGetDeviceProperties(&device, context.nCudaDeviceId));
    context.nMultiProcessorCount = device.multiProcessorCount;
    context.nMaxThreadsPerMultiProcessor = device.maxThreadsPerMultiProcessor;
    context.nMaxThreadsPerBlock = device.maxThreadsPerBlock;
    context.nSharedMemPerBlock = device.sharedMemPerBlock;
    context.nCudaDevAttrComputeCapabilityMajor = device.major;
    context.nCudaDevAttrComputeCapabilityMinor = device.minor;
    return context;
}

NppiSize npp(Size size) {
    return {size.width, size.height};
}

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

/// One channel of one pixel, filtered on the CPU; the border repeats.
double filtered(const Picture& picture, const std::vector<float>& weights, int x, int y, int channel) {
    const int radius = static_cast<int>(weights.size()) / 2;
    double sum = 0;
    for (int j = -radius; j <= radius; ++j) {
        const auto row = static_cast<std::uint64_t>(std::clamp(y + j, 0, picture.size.height - 1));
        double row_sum = 0;
        for (int i = -radius; i <= radius; ++i) {
            const int column = std::clamp(x + i, 0, picture.size.width - 1);
            const std::uint64_t place = (row * picture.size.width + column) * 4 + channel;
            row_sum += weights[i + radius] * byte_at(picture.input, place);
        }
        sum += weights[j + radius] * row_sum;
    }
    return sum;
}

/// Corners and a few pixels inside, each channel, within a step and a half: NPP rounds between its passes.
bool right_in_places(const Picture& picture, const DeviceArray<std::uint8_t>& out,
                     const std::vector<float>& weights) {
    const int right = picture.size.width - 1;
    const int bottom = picture.size.height - 1;
    const int places[][2] = {{0, 0},
                             {right, 0},
                             {0, bottom},
                             {right, bottom},
                             {right / 2, 17},
                             {5, bottom / 2},
                             {right / 3, bottom / 3},
                             {right - 40, bottom - 33}};
    for (const auto& [x, y] : places) {
        for (int channel = 0; channel < 4; ++channel) {
            const std::size_t place = (static_cast<std::size_t>(y) * picture.size.width + x) * 4 + channel;
            if (std::abs(out.at(place) - filtered(picture, weights, x, y, channel)) > 1.5) {
                return false;
            }
        }
    }
    return true;
}

bool same(const std::vector<Npp32s>& counts, const Counts& expected) {
    return std::equal(counts.begin(), counts.end(), expected.begin(), expected.end());
}

} // namespace

void blur_with_npp(Report& report, const Picture& picture) {
    const int step = 4 * picture.size.width;
    const DeviceArray<std::uint8_t> out(4 * picture.size.pixels());
    for (const auto& [sigma, radius] : {std::pair{2, 6}, std::pair{10, 30}}) {
        const std::vector<float> weights = gaussian(sigma, radius);
        const int taps = static_cast<int>(weights.size());
        const DeviceArray<float> kernel(weights.size());
        peers::check(cudaMemcpy(kernel.data(), weights.data(), taps * sizeof(float), cudaMemcpyHostToDevice));
        report.variant(
            "NPP FilterGaussAdvancedBorder sigma " + std::to_string(sigma) + ", " + std::to_string(taps) +
                " taps",
            8.0 * static_cast<double>(picture.size.pixels()),
            [&] {
                check(nppiFilterGaussAdvancedBorder_8u_C4R_Ctx(
                    picture.bytes.data(), step, npp(picture.size), {0, 0}, out.data(), step,
                    npp(picture.size), taps, kernel.data(), NPP_BORDER_REPLICATE, context()));
            },
            [&, &weights = weights] { return right_in_places(picture, out, weights); });
    }
}

void box_with_npp(Report& report, const Picture& picture) {
    const int step = 4 * picture.size.width;
    const DeviceArray<std::uint8_t> out(4 * picture.size.pixels());
    for (const int radius : {5, 15, 100}) {
        const int side = 2 * radius + 1;
        const std::vector<float> weights(side, 1.0F / static_cast<float>(side));
        report.variant(
            "NPP FilterBoxBorder radius " + std::to_string(radius),
            8.0 * static_cast<double>(picture.size.pixels()),
            [&] {
                check(nppiFilterBoxBorder_8u_C4R_Ctx(picture.bytes.data(), step, npp(picture.size), {0, 0},
                                                     out.data(), step, npp(picture.size), {side, side},
                                                     {radius, radius}, NPP_BORDER_REPLICATE, context()));
            },
            [&] { return right_in_places(picture, out, weights); });
    }
}

void histogram_with_npp(Report& report, const Picture& picture) {
    const NppStreamContext npp_context = context();
    const auto pixels = picture.size.pixels();
    constexpr int levels = 257;
    constexpr int spare = 512; // NPP writes a little beyond the 256 counts of a channel
    const DeviceArray<Npp32s> counts(4 * spare);

    std::size_t grey_bytes = 0;
    check(nppiHistogramEvenGetBufferSize_8u_C1R_Ctx(npp(picture.size), levels, &grey_bytes, npp_context));
    const DeviceArray<Npp8u> grey_scratch(grey_bytes);
    report.variant(
        "NPP HistogramEven C1, 1 byte a pixel", static_cast<double>(pixels),
        [&] {
            check(nppiHistogramEven_8u_C1R_Ctx(picture.bytes.data(), picture.size.width, npp(picture.size),
                                               counts.data(), levels, 0, 256, grey_scratch.data(),
                                               npp_context));
        },
        [&] { return same(counts.copy(0, 256), count_bytes(picture.input, 0, 1, pixels)); });

    int all_levels[4] = {levels, levels, levels, levels};
    std::size_t rgba_bytes = 0;
    check(nppiHistogramEvenGetBufferSize_8u_C4R_Ctx(npp(picture.size), all_levels, &rgba_bytes, npp_context));
    const DeviceArray<Npp8u> rgba_scratch(rgba_bytes);
    report.variant(
        "NPP HistogramEven C4", 4.0 * static_cast<double>(pixels),
        [&] {
            Npp32s* targets[4] = {counts.data(), counts.data() + spare, counts.data() + 2 * spare,
                                  counts.data() + 3 * spare};
            Npp32s lowest[4] = {0, 0, 0, 0};
            Npp32s above[4] = {256, 256, 256, 256};
            check(nppiHistogramEven_8u_C4R_Ctx(picture.bytes.data(), 4 * picture.size.width,
                                               npp(picture.size), targets, all_levels, lowest, above,
                                               rgba_scratch.data(), npp_context));
        },
        [&] {
            for (std::size_t channel = 0; channel < 4; ++channel) {
                if (!same(counts.copy(spare * channel, 256),
                          count_bytes(picture.input, channel, 4, 4 * pixels))) {
                    return false;
                }
            }
            return true;
        });
}

void integral_with_npp(Report& report, const Picture& picture) {
    const Size size = picture.size;
    // One row and one column more than the picture, as OpenCV's; sums are modulo 2^32.
    const std::size_t stride = (size.width + 1 + 63) / 64 * 64;
    const DeviceArray<Npp32s> out(stride * (size.height + 1));
    const auto verify = [&] {
        std::uint32_t total = 0;
        const Counts counts = count_bytes(picture.input, 0, 1, size.pixels());
        for (std::size_t value = 0; value < counts.size(); ++value) {
            total += static_cast<std::uint32_t>(value * counts[value]);
        }
        const int x = std::min(size.width, 301);
        const int y = std::min(size.height, 203);
        std::uint32_t inside = 0;
        for (int j = 0; j < y; ++j) {
            for (int i = 0; i < x; ++i) {
                inside += byte_at(picture.input, static_cast<std::uint64_t>(j) * size.width + i);
            }
        }
        const auto sum_at = [&](int column, int row) {
            return static_cast<std::uint32_t>(out.at(row * stride + column));
        };
        return sum_at(0, 0) == 0 && sum_at(x, y) == inside && sum_at(size.width, size.height) == total;
    };
    report.variant(
        "NPP Integral 8u32s", 5.0 * static_cast<double>(size.pixels()),
        [&] {
            check(nppiIntegral_8u32s_C1R_Ctx(picture.bytes.data(), size.width, out.data(),
                                             static_cast<int>(stride * sizeof(Npp32s)), npp(size), 0,
                                             context()));
        },
        verify);
}

} // namespace peers

#endif
