// An operation of your own: one function in GLSL, and the same function in double precision. The library takes care of
// depths, channels, tiles and packing.
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
    const double levels = op.levels;
    const auto level = [=](double v) {
        return std::floor(std::min(v * levels, levels - 0.5)) / (levels - 1);
    };
    return glproc::point_plan(form, {.name = "posterize",
                                     .glsl = "posterize.glsl",
                                     .params = {static_cast<float>(levels)},
                                     .reference = [=](const glproc::Colour4& v) {
                                         return glproc::Colour4{level(v[0]), level(v[1]), level(v[2]), v[3]};
                                     }});
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

    // The reference gives the right answer.
    const glproc::Image right = glproc::reference_image(plan(Posterize{.levels = 4}, photo.form()), photo);
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < right.bytes().size(); ++i) {
        wrong += right.bytes()[i] == result.bytes()[i] ? 0 : 1;
    }
    std::printf("%s: %zu of %zu bytes differ from the reference\n", argv[2], wrong, right.bytes().size());
    return wrong == 0 ? 0 : 1;
} catch (const glproc::Error& error) {
    std::fprintf(stderr, "error: %s\n", error.what());
    return static_cast<int>(error.code());
}
