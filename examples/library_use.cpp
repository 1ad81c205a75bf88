// The library on one screen: blurs an image and counts its histogram without leaving the GPU in between.
#include "glproc/glproc.hpp"

#include <cstdint>
#include <cstdio>
#include <numeric>

int main(int argc, char** argv) try {
    if (argc != 3) {
        std::fprintf(stderr, "usage: %s IN OUT\n", argv[0]);
        return 2;
    }
    glproc::Context gpu; // hidden window, or EGL where there is no display
    glproc::GpuImage photo = gpu.upload(glproc::load(argv[1]));
    glproc::GpuImage soft = glproc::Blur{.sigma = 2}(gpu, photo);
    auto counts = glproc::Histogram{.bins = 256}(gpu, soft); // exact counts per channel
    glproc::save(gpu.download(soft), argv[2]);

    const auto& luma = counts.front().counts;
    const std::uint64_t pixels = std::accumulate(luma.begin(), luma.end(), std::uint64_t{0});
    std::printf("%s: %llu pixels counted in %zu bins on %s\n", argv[2],
                static_cast<unsigned long long>(pixels), luma.size(), gpu.device().renderer.c_str());
    return pixels == static_cast<std::uint64_t>(soft.width()) * static_cast<std::uint64_t>(soft.height()) ? 0
                                                                                                          : 1;
} catch (const glproc::Error& error) {
    std::fprintf(stderr, "error: %s\n", error.what());
    return static_cast<int>(error.code());
}
