// What bench/python does from NumPy to NumPy, by the C++ library from memory to memory: a name and
// milliseconds a line.
#include "glproc/glproc.hpp"
#include "glproc/ops/blur.hpp"
#include "glproc/ops/invert.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <random>
#include <vector>

namespace {

using Clock = std::chrono::steady_clock;

template <class Call>
void report(const char* name, Call call) {
    std::vector<double> times;
    call();
    call();
    const auto end = Clock::now() + std::chrono::seconds(1);
    while (Clock::now() < end || times.size() < 5) {
        const auto begin = Clock::now();
        call();
        times.push_back(std::chrono::duration<double, std::milli>(Clock::now() - begin).count());
    }
    std::sort(times.begin(), times.end());
    std::printf("%s %.3f\n", name, times[times.size() / 2]);
}

} // namespace

int main() {
    glproc::Context gpu;
    glproc::Image photo(2448, 1505, 3, glproc::Depth::u8);
    std::mt19937 random(1);
    for (std::byte& value : photo.bytes()) {
        value = static_cast<std::byte>(random());
    }
    glproc::Image result;
    const glproc::GpuImage on_gpu = gpu.upload(photo);
    report("invert",
           [&] { result = gpu.download(glproc::Invert{}(gpu, gpu.upload(photo)), std::move(result)); });
    report("blur", [&] {
        result = gpu.download(glproc::Blur{.sigma = 2}(gpu, gpu.upload(photo)), std::move(result));
    });
    report("download", [&] { result = gpu.download(on_gpu, std::move(result)); });
}
