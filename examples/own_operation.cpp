// An operation of your own: one function in GLSL. The library takes care of depths, channels, tiles and packing.
#include "glproc/glproc.hpp"

#include <cmath>
#include <cstdio>

namespace {

/// Reduces the values of an image to a few levels.
struct Posterize {
    double levels = 4; ///< 2 or more

    glproc::GpuImage operator()(glproc::Context& gpu, const glproc::GpuImage& photo) const {
        return glproc::run(*this, gpu, photo);
    }
};

constexpr const char* posterize_glsl = R"(
// Kind: point
vec4 point(vec4 v) {
    return vec4(floor(min(v.rgb * param(0), vec3(param(0) - 0.5))) / (param(0) - 1.0), v.a);
}
)";

glproc::Plan plan(const Posterize& op, const glproc::Form& form) {
    glproc::register_glsl("posterize.glsl", posterize_glsl);
    return glproc::point_plan(form, {.name = "posterize", .glsl = "posterize.glsl", .params = {static_cast<float>(op.levels)}});
}

/// The code that a code of 8 bits becomes.
double right_code(double code, double levels) {
    const double v = code / 255;
    return std::nearbyint(std::floor(std::min(v * levels, levels - 0.5)) / (levels - 1) * 255);
}

} // namespace

int main(int argc, char** argv) try {
    if (argc != 3) {
        std::fprintf(stderr, "usage: %s IN OUT\n", argv[0]);
        return 2;
    }
    glproc::Context gpu;
    const glproc::Image photo = glproc::load(argv[1]);
    const glproc::Image result = gpu.download(Posterize{.levels = 4}(gpu, gpu.upload(photo)));
    glproc::save(result, argv[2]);

    std::size_t wrong = 0;
    const int colours = photo.channels() - (photo.has_alpha() ? 1 : 0);
    for (int y = 0; y < photo.height() && photo.depth() == glproc::Depth::u8; ++y) {
        for (int x = 0; x < photo.width(); ++x) {
            for (int c = 0; c < colours; ++c) {
                wrong += result.at(x, y, c) == right_code(photo.at(x, y, c), 4) ? 0 : 1;
            }
        }
    }
    std::printf("%s: %zu values differ from the formula\n", argv[2], wrong);
    return wrong == 0 ? 0 : 1;
} catch (const glproc::Error& error) {
    std::fprintf(stderr, "error: %s\n", error.what());
    return static_cast<int>(error.code());
}
