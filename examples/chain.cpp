// Runs several operations without leaving the GPU. Neighbouring point operations run as one pass.
#include "glproc/glproc.hpp"

#include <cstdio>

int main(int argc, char** argv) try {
    if (argc != 3) {
        std::fprintf(stderr, "usage: %s IN OUT\n", argv[0]);
        return 2;
    }
    glproc::Context gpu;
    const glproc::Chain look{glproc::Levels{.gamma = 1.2}, glproc::Adjust{.saturation = 1.3},
                             glproc::Blur{.sigma = 1}, glproc::Resize{.size = {.percent = 50}}};
    const glproc::GpuImage photo = gpu.upload(glproc::load(argv[1]));
    const glproc::GpuImage small = look(gpu, photo);
    glproc::save(gpu.download(small), argv[2]);
    std::printf("%s: %dx%d\n", argv[2], small.width(), small.height());
    return small.width() == (photo.width() + 1) / 2 || small.width() == photo.width() / 2 ? 0 : 1;
} catch (const glproc::Error& error) {
    std::fprintf(stderr, "error: %s\n", error.what());
    return static_cast<int>(error.code());
}
