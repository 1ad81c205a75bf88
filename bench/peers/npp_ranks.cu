// NPP: median and dilation. Borders repeat.
#include "npp.hpp"
#include "npp_rows.hpp"

#include <nppi_filtering_functions.h>
#include <nppi_morphological_operations.h>

namespace peers::npp {

namespace {

/// The values of one channel around a pixel, sorted.
std::vector<int> sorted_window(const Picture& picture, int radius, int x, int y, int channel) {
    std::vector<int> values;
    for (int j = -radius; j <= radius; ++j) {
        for (int i = -radius; i <= radius; ++i) {
            values.push_back(picture.sample(x + i, y + j, channel));
        }
    }
    std::sort(values.begin(), values.end());
    return values;
}

std::string title(const char* function, int radius) {
    return std::string("NPP ") + function + " radius " + std::to_string(radius);
}

} // namespace

void median(Report& report, const Picture& picture) {
    const Size size = picture.size;
    const DeviceArray<std::uint8_t> out(4 * size.pixels());
    for (const int radius : {1, 2, 5}) {
        const NppiSize mask{2 * radius + 1, 2 * radius + 1};
        Bytes bytes;
        check(nppiFilterMedianBorderGetBufferSize_8u_C4R_Ctx(extent(size), mask, bytes, NPP_BORDER_REPLICATE,
                                                             context()));
        const DeviceArray<Npp8u> scratch(std::max<std::size_t>(bytes.count(), 1));
        report.variant(
            title("FilterMedianBorder", radius), 8.0 * static_cast<double>(size.pixels()),
            [&] {
                check(nppiFilterMedianBorder_8u_C4R_Ctx(
                    picture.bytes.data(), step_of(size), extent(size), {0, 0}, out.data(), step_of(size),
                    extent(size), mask, {radius, radius}, scratch.data(), NPP_BORDER_REPLICATE, context()));
            },
            [&] {
                const auto truth = [&](int x, int y, int c) {
                    const std::vector<int> values = sorted_window(picture, radius, x, y, c);
                    return values[values.size() / 2];
                };
                return right_in_places(size, out, truth, 0);
            });
    }
}

void morphology(Report& report, const Picture& picture) {
    const Size size = picture.size;
    const DeviceArray<std::uint8_t> out(4 * size.pixels());
    for (const int radius : {1, 5, 15}) {
        const NppiSize mask{2 * radius + 1, 2 * radius + 1};
        const DeviceArray<Npp8u> ones(static_cast<std::size_t>(mask.width) * mask.height);
        peers::check(cudaMemset(ones.data(), 1, static_cast<std::size_t>(mask.width) * mask.height));
        const double bytes = 8.0 * static_cast<double>(size.pixels());
        const auto is_right = [&] {
            return right_in_places(
                size, out,
                [&](int x, int y, int c) { return sorted_window(picture, radius, x, y, c).back(); }, 0);
        };
        report.variant(
            title("FilterMaxBorder", radius), bytes,
            [&] {
                check(nppiFilterMaxBorder_8u_C4R_Ctx(picture.bytes.data(), step_of(size), extent(size),
                                                     {0, 0}, out.data(), step_of(size), extent(size), mask,
                                                     {radius, radius}, NPP_BORDER_REPLICATE, context()));
            },
            is_right);
        report.variant(
            title("DilateBorder", radius), bytes,
            [&] {
                check(nppiDilateBorder_8u_C4R_Ctx(picture.bytes.data(), step_of(size), extent(size), {0, 0},
                                                  out.data(), step_of(size), extent(size), ones.data(), mask,
                                                  {radius, radius}, NPP_BORDER_REPLICATE, context()));
            },
            is_right);
    }
}

} // namespace peers::npp
