// Blurs a picture with an installed glproc, which the headers and the library of the source tree do not help.
#include <glproc/glproc.hpp>

#include <algorithm>
#include <cstdio>

int main(int argc, char** argv) try {
    if (argc != 3) {
        std::fprintf(stderr, "usage: %s IN OUT\n", argv[0]);
        return 2;
    }
    glproc::Context gpu;
    const glproc::Image photo = glproc::load(argv[1]);
    const glproc::Image soft = gpu.download(glproc::Blur{.sigma = 2}(gpu, gpu.upload(photo)));
    glproc::save(soft, argv[2]);
    const bool same_size = soft.width() == photo.width() && soft.height() == photo.height();
    const bool changed =
        !std::equal(soft.bytes().begin(), soft.bytes().end(), photo.bytes().begin(), photo.bytes().end());
    return same_size && changed ? 0 : 1;
} catch (const glproc::Error& error) {
    std::fprintf(stderr, "error: %s\n", error.what());
    return static_cast<int>(error.code());
}
