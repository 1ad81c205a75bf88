// NPP: edges, and a blur that keeps them. Borders repeat.
#include "npp.hpp"
#include "npp_rows.hpp"

#include <nppi_filtering_functions.h>

namespace peers::npp {

namespace {

constexpr double range_sigma = 25.5; // a tenth of the range, glproc's --range 10%

/// What NPP does not document of its bilateral filter.
struct Rule {
    bool doubled; ///< weights exp(-d^2 / 2 sigma^2); else exp(-d^2 / sigma^2)
    bool is_disc;
    bool is_sum; ///< the distance of colours is the sum over the channels; else Euclid's
};

double smoothed(const Picture& picture, int channels, int radius, Rule rule, int x, int y, int channel) {
    const double divisor = rule.doubled ? 2 : 1;
    const double sigma = radius / 1.5;
    double sum = 0;
    double weights = 0;
    for (int j = -radius; j <= radius; ++j) {
        for (int i = -radius; i <= radius; ++i) {
            if (rule.is_disc && i * i + j * j > radius * radius) {
                continue;
            }
            double by_sum = 0;
            double squares = 0;
            for (int c = 0; c < channels; ++c) {
                const double difference = packed_sample(picture, channels, x + i, y + j, c) -
                                          packed_sample(picture, channels, x, y, c);
                by_sum += std::abs(difference);
                squares += difference * difference;
            }
            const double apart = rule.is_sum ? by_sum * by_sum : squares;
            const double weight = std::exp(-(i * i + j * j) / (divisor * sigma * sigma) -
                                           apart / (divisor * range_sigma * range_sigma));
            sum += weight * packed_sample(picture, channels, x + i, y + j, channel);
            weights += weight;
        }
    }
    return sum / weights;
}

std::vector<Truth> smoothings(const Picture& picture, int channels, int radius) {
    std::vector<Truth> all;
    for (int bits = 0; bits < 8; ++bits) {
        const Rule rule{(bits & 1) != 0, (bits & 2) != 0, (bits & 4) != 0};
        all.push_back([&picture, channels, radius, rule](int x, int y, int c) {
            return smoothed(picture, channels, radius, rule, x, y, c);
        });
    }
    return all;
}

void bilateral_of(Report& report, const Picture& picture, int channels, int radius) {
    const Size size = picture.size;
    const int step = channels * size.width;
    const DeviceArray<std::uint8_t> out(channels * size.pixels());
    const auto run =
        channels == 1 ? nppiFilterBilateralGaussBorder_8u_C1R_Ctx : nppiFilterBilateralGaussBorder_8u_C3R_Ctx;
    const auto square = [](double value) { return static_cast<float>(value * value); };
    report.variant(
        "NPP FilterBilateralGaussBorder radius " + std::to_string(radius) + ", " + std::to_string(channels) +
            (channels == 1 ? " channel" : " channels"),
        2.0 * channels * static_cast<double>(size.pixels()),
        [&] {
            check(run(picture.bytes.data(), step, extent(size), {0, 0}, out.data(), step, extent(size),
                      radius, 1, square(range_sigma), square(radius / 1.5), NPP_BORDER_REPLICATE, context()));
        },
        [&] {
            return right_by_one(size, out, smoothings(picture, channels, radius), 2, Places::all,
                                {channels, channels});
        });
}

/// Of both directions of Sobel.
int gradient(const Picture& picture, int x, int y) {
    const auto at = [&](int i, int j) { return packed_sample(picture, 1, x + i, y + j, 0); };
    const int along_x = at(1, -1) + 2 * at(1, 0) + at(1, 1) - at(-1, -1) - 2 * at(-1, 0) - at(-1, 1);
    const int along_y = at(-1, 1) + 2 * at(0, 1) + at(1, 1) - at(-1, -1) - 2 * at(0, -1) - at(1, -1);
    return std::abs(along_x) + std::abs(along_y);
}

/// In a block from the middle: nothing but edges of 255 above the lower threshold, and nothing else, and in
/// noise some of either.
bool are_edges(const Picture& picture, const DeviceArray<std::uint8_t>& out, int low) {
    constexpr int side = 64;
    const Size size = picture.size;
    int edges = 0;
    for (int y = size.height / 2; y < size.height / 2 + side; ++y) {
        const std::size_t first = static_cast<std::size_t>(y) * size.width + size.width / 2;
        const std::vector<std::uint8_t> row = out.copy(first, side);
        for (int i = 0; i < side; ++i) {
            const bool is_edge = row[i] == 255;
            if ((!is_edge && row[i] != 0) || (is_edge && gradient(picture, size.width / 2 + i, y) < low)) {
                return false;
            }
            edges += is_edge ? 1 : 0;
        }
    }
    return picture.input == Input::constant ? edges == 0 : edges > 0 && edges < side * side;
}

} // namespace

void bilateral(Report& report, const Picture& picture) {
    for (const int channels : {1, 3}) {
        for (const int radius : {3, 5, 9}) {
            bilateral_of(report, picture, channels, radius);
        }
    }
}

void canny(Report& report, const Picture& picture) {
    constexpr Npp16s low = 50;
    constexpr Npp16s high = 150;
    const Size size = picture.size;
    const DeviceArray<std::uint8_t> out(size.pixels());
    Bytes bytes;
    check(nppiFilterCannyBorderGetBufferSize(extent(size), bytes));
    const DeviceArray<Npp8u> scratch(std::max<std::size_t>(bytes.count(), 1));
    report.variant(
        "NPP FilterCannyBorder 50, 150, 1 channel", 2.0 * static_cast<double>(size.pixels()),
        [&] {
            check(nppiFilterCannyBorder_8u_C1R_Ctx(picture.bytes.data(), size.width, extent(size), {0, 0},
                                                   out.data(), size.width, extent(size), NPP_FILTER_SOBEL,
                                                   NPP_MASK_SIZE_3_X_3, low, high, nppiNormL1,
                                                   NPP_BORDER_REPLICATE, scratch.data(), context()));
        },
        [&] { return are_edges(picture, out, low); });
}

} // namespace peers::npp
