// Times NPP's labels and distances on a mask from a file, for bench/objects.
//
//   build/peers/npp_objects MASK.raw WIDTH HEIGHT
//
// The mask has a byte a pixel, 0 or not. Prints "labels" and "distance", each with the median milliseconds of 15 runs and a sum by
// which the result is checked: of objects, or of squared distances (by sites at 0).
#include "npp.hpp"

#include <nppi_filtering_functions.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <numeric>

namespace peers::npp {

namespace {

float median_of(const std::function<void()>& run) {
    cudaEvent_t begin{};
    cudaEvent_t end{};
    peers::check(cudaEventCreate(&begin));
    peers::check(cudaEventCreate(&end));
    std::vector<float> times;
    for (int i = 0; i < 35; ++i) { // the first 20 let the clock rise
        peers::check(cudaEventRecord(begin));
        run();
        peers::check(cudaEventRecord(end));
        peers::check(cudaEventSynchronize(end));
        float ms = 0;
        peers::check(cudaEventElapsedTime(&ms, begin, end));
        times.push_back(ms);
    }
    times.erase(times.begin(), times.begin() + 20);
    std::sort(times.begin(), times.end());
    return times[times.size() / 2];
}

void labels(const DeviceArray<std::uint8_t>& mask, Size size) {
    Bytes bytes;
    check(nppiLabelMarkersUFGetBufferSize_32u_C1R(extent(size), bytes));
    const DeviceArray<std::uint8_t> scratch(bytes.count());
    const DeviceArray<std::uint32_t> out(size.pixels());
    const float ms = median_of([&] {
        check(nppiLabelMarkersUF_8u32u_C1R_Ctx(mask.data(), size.width, out.data(), 4 * size.width,
                                               extent(size), nppiNormInf, scratch.data(), context()));
    });
    const std::vector<std::uint32_t> made = out.copy(0, size.pixels());
    const std::vector<std::uint8_t> from = mask.copy(0, size.pixels());
    std::vector<std::uint32_t> found;
    for (std::size_t i = 0; i < made.size(); ++i) {
        if (from[i] != 0 && (i == 0 || found.empty() || made[i] != found.back())) {
            found.push_back(made[i]);
        }
    }
    std::sort(found.begin(), found.end());
    const auto count = std::unique(found.begin(), found.end()) - found.begin();
    std::printf("labels %.3f %td\n", ms, count);
}

void distance(const DeviceArray<std::uint8_t>& mask, Size size) {
    std::size_t bytes = 0;
    check(nppiDistanceTransformPBAGetBufferSize(extent(size), &bytes));
    const DeviceArray<std::uint8_t> scratch(bytes);
    const DeviceArray<float> out(size.pixels());
    const float ms = median_of([&] {
        check(nppiDistanceTransformPBA_8u32f_C1R_Ctx(mask.data(), size.width, 0, 0, nullptr, 0, nullptr,
                                                     0, nullptr, 0, out.data(), 4 * size.width, extent(size), scratch.data(),
                                                     context()));
    });
    const std::vector<float> made = out.copy(0, size.pixels());
    const double sum = std::accumulate(made.begin(), made.end(), 0.0, [](double a, float b) { return a + double(b) * b; });
    std::printf("distance %.3f %.0f\n", ms, sum);
}

} // namespace

int measure(const char* path, Size size) {
    std::ifstream file(path, std::ios::binary);
    std::vector<char> bytes(size.pixels());
    file.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    if (!file) {
        std::fprintf(stderr, "%s: too short\n", path);
        return 3;
    }
    const DeviceArray<std::uint8_t> mask(size.pixels());
    peers::check(cudaMemcpy(mask.data(), bytes.data(), bytes.size(), cudaMemcpyHostToDevice));
    int status = 0;
    for (const auto& run : {labels, distance}) {
        try {
            run(mask, size);
        } catch (const std::exception& error) {
            std::fprintf(stderr, "%s\n", error.what());
            status = 1;
        }
    }
    return status;
}

} // namespace peers::npp

int main(int count, char** words) {
    if (count != 4) {
        std::fputs("usage: npp_objects MASK.raw WIDTH HEIGHT\n", stderr);
        return 2;
    }
    return peers::npp::measure(words[1], {std::atoi(words[2]), std::atoi(words[3])});
}
