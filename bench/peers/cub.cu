// CUB: prefix sums and histograms.
#include "measure.hpp"

#include <cub/device/device_histogram.cuh>
#include <cub/device/device_scan.cuh>
#include <cuda/std/array>

#include <algorithm>

namespace peers {

namespace {

/// CUB's calls are made twice: without memory of their own they only say how much they need.
template <class Call>
std::size_t scratch_bytes(const Call& call) {
    std::size_t bytes = 0;
    check(call(nullptr, bytes));
    return std::max<std::size_t>(bytes, 1);
}

bool same(const std::vector<int>& counts, const Counts& expected) {
    return std::equal(counts.begin(), counts.end(), expected.begin(), expected.end());
}

} // namespace

void scan_with_cub(Report& report, Input input, std::size_t count) {
    const DeviceArray<std::uint32_t> in(count);
    const DeviceArray<std::uint32_t> out(count);
    fill(input, in.data(), count);
    const auto call = [&](void* scratch, std::size_t& bytes) {
        return cub::DeviceScan::InclusiveSum(scratch, bytes, in.data(), out.data(), count);
    };
    std::size_t bytes = scratch_bytes(call);
    const DeviceArray<std::byte> scratch(bytes);

    const auto verify = [&] {
        const std::array<std::size_t, 4> places{0, count / 3, count / 2 + 1, count - 1};
        std::uint32_t sum = 0;
        std::size_t next = 0;
        for (const std::size_t place : places) {
            for (; next <= place; ++next) {
                sum += word_at(input, next);
            }
            if (out.at(place) != sum) {
                return false;
            }
        }
        return true;
    };
    report.variant(
        "CUB InclusiveSum", 8.0 * static_cast<double>(count), [&] { check(call(scratch.data(), bytes)); },
        verify);
}

void histogram_with_cub(Report& report, const Picture& picture) {
    const auto pixels = static_cast<int>(picture.size.pixels());
    const DeviceArray<int> counts(4 * 256);
    const std::uint8_t* samples = picture.bytes.data();

    const auto grey = [&](void* scratch, std::size_t& bytes) {
        return cub::DeviceHistogram::HistogramEven(scratch, bytes, samples, counts.data(), 257, 0, 256,
                                                   pixels);
    };
    std::size_t grey_bytes = scratch_bytes(grey);
    const DeviceArray<std::byte> grey_scratch(grey_bytes);
    report.variant(
        "CUB HistogramEven, 1 byte a pixel", pixels, [&] { check(grey(grey_scratch.data(), grey_bytes)); },
        [&] { return same(counts.copy(0, 256), count_bytes(picture.input, 0, 1, pixels)); });

    const auto rgba = [&](void* scratch, std::size_t& bytes) {
        const cuda::std::array<int*, 4> targets{counts.data(), counts.data() + 256, counts.data() + 512,
                                                counts.data() + 768};
        const cuda::std::array<int, 4> levels{257, 257, 257, 257};
        const cuda::std::array<int, 4> lowest{0, 0, 0, 0};
        const cuda::std::array<int, 4> above{256, 256, 256, 256};
        return cub::DeviceHistogram::MultiHistogramEven<4, 4>(scratch, bytes, samples, targets, levels,
                                                              lowest, above, pixels);
    };
    std::size_t rgba_bytes = scratch_bytes(rgba);
    const DeviceArray<std::byte> rgba_scratch(rgba_bytes);
    report.variant(
        "CUB MultiHistogramEven<4, 4>", 4.0 * pixels, [&] { check(rgba(rgba_scratch.data(), rgba_bytes)); },
        [&] {
            for (std::size_t channel = 0; channel < 4; ++channel) {
                const Counts expected =
                    count_bytes(picture.input, channel, 4, 4 * static_cast<std::uint64_t>(pixels));
                if (!same(counts.copy(256 * channel, 256), expected)) {
                    return false;
                }
            }
            return true;
        });
}

} // namespace peers
