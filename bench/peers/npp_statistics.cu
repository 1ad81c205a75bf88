// NPP: histogram and integral image.
#include "npp.hpp"
#include "npp_rows.hpp"

#include <nppi_statistics_functions.h>

namespace peers::npp {

namespace {

bool same(const std::vector<Npp32s>& counts, const Counts& expected) {
    return std::equal(counts.begin(), counts.end(), expected.begin(), expected.end());
}

} // namespace

void histogram(Report& report, const Picture& picture) {
    const auto pixels = picture.size.pixels();
    constexpr int levels = 257;
    constexpr int spare = 512; // NPP writes a little beyond the 256 counts of a channel
    const DeviceArray<Npp32s> counts(4 * spare);

    Bytes grey_bytes;
    check(nppiHistogramEvenGetBufferSize_8u_C1R_Ctx(extent(picture.size), levels, grey_bytes, context()));
    const DeviceArray<Npp8u> grey_scratch(grey_bytes.count());
    report.variant(
        "NPP HistogramEven C1, 1 byte a pixel", static_cast<double>(pixels),
        [&] {
            check(nppiHistogramEven_8u_C1R_Ctx(picture.bytes.data(), picture.size.width, extent(picture.size),
                                               counts.data(), levels, 0, 256, grey_scratch.data(),
                                               context()));
        },
        [&] { return same(counts.copy(0, 256), count_bytes(picture.input, 0, 1, pixels)); });

    int all_levels[4] = {levels, levels, levels, levels};
    Bytes rgba_bytes;
    check(nppiHistogramEvenGetBufferSize_8u_C4R_Ctx(extent(picture.size), all_levels, rgba_bytes, context()));
    const DeviceArray<Npp8u> rgba_scratch(rgba_bytes.count());
    report.variant(
        "NPP HistogramEven C4", 4.0 * static_cast<double>(pixels),
        [&] {
            Npp32s* targets[4] = {counts.data(), counts.data() + spare, counts.data() + 2 * spare,
                                  counts.data() + 3 * spare};
            Npp32s lowest[4] = {0, 0, 0, 0};
            Npp32s above[4] = {256, 256, 256, 256};
            check(nppiHistogramEven_8u_C4R_Ctx(picture.bytes.data(), step_of(picture.size),
                                               extent(picture.size), targets, all_levels, lowest, above,
                                               rgba_scratch.data(), context()));
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

void integral(Report& report, const Picture& picture) {
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
                                             static_cast<int>(stride * sizeof(Npp32s)), extent(size), 0,
                                             context()));
        },
        verify);
}

} // namespace peers::npp
