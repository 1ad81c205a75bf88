// An operation of your own: one function in GLSL. The library takes care of depths, channels, tiles and
// packing.
#include "glproc/glproc.hpp"

#include <cstdio>

namespace {

/// Turns bright values into their negative, as light does to a print that is still being developed.
struct Solarize {
    double from = 0.5; ///< values from here on

    glproc::GpuImage operator()(glproc::Context& gpu, const glproc::GpuImage& photo) const {
        return glproc::run(*this, gpu, photo);
    }
};

constexpr const char* solarize_glsl = R"(
// Kind: point
vec4 point(vec4 v) {
    return vec4(mix(v.rgb, 1.0 - v.rgb, step(param(0), v.rgb)), v.a);
}
)";

glproc::Plan plan(const Solarize& op, const glproc::Form& form) {
    glproc::register_glsl("solarize.glsl", solarize_glsl);
    return glproc::point_plan(
        form, {.name = "solarize", .glsl = "solarize.glsl", .params = {static_cast<float>(op.from)}});
}

/// The code that a code of 8 bits becomes.
double right_code(double code, double from) {
    return code / 255 < from ? code : 255 - code;
}

} // namespace

int main(int argc, char** argv) try {
    if (argc != 3) {
        std::fprintf(stderr, "usage: %s IN OUT\n", argv[0]);
        return 2;
    }
    glproc::Context gpu;
    const glproc::Image photo = glproc::load(argv[1]);
    const glproc::Image result = gpu.download(Solarize{.from = 0.5}(gpu, gpu.upload(photo)));
    glproc::save(result, argv[2]);

    std::size_t wrong = 0;
    const int colours = photo.channels() - (photo.has_alpha() ? 1 : 0);
    for (int y = 0; y < photo.height() && photo.depth() == glproc::Depth::u8; ++y) {
        for (int x = 0; x < photo.width(); ++x) {
            for (int c = 0; c < colours; ++c) {
                wrong += result.at(x, y, c) == right_code(photo.at(x, y, c), 0.5) ? 0 : 1;
            }
        }
    }
    std::printf("%s: %zu values differ from the formula\n", argv[2], wrong);
    return wrong == 0 ? 0 : 1;
} catch (const glproc::Error& error) {
    std::fprintf(stderr, "error: %s\n", error.what());
    return static_cast<int>(error.code());
}
