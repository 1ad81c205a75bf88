#include "glproc/ops/noise.hpp"

#include "glproc/op/describe.hpp"

namespace glproc {

namespace {

constexpr Limit noise_limit{0, 1e30};
constexpr Limit seed_limit{0, 2147483647};

} // namespace

Plan plan(const Noise& op, const Form& form) {
    check_level("sigma", op.sigma, form, between_black_and_white, noise_limit);
    check_limit("seed", op.seed, seed_limit);
    const double sigma = op.sigma.value;
    Plan plan =
        point_plan(form, {.name = "noise",
                          .glsl = "noise.glsl",
                          .params = {float(sigma), op.kind == NoiseKind::uniform ? 1.0F : 0.0F,
                                     op.mono ? 1.0F : 0.0F, float(op.seed & 0xffff), float(op.seed >> 16)},
                          .finite = true,
                          .placed = true,
                          .method = op.method});
    plan.twin.work = 165; // elementary functions
    return plan;
}

const OpInfo& noise_info() {
    static const OpInfo info =
        Describe<Noise>("noise", "add noise or grain", "in.png out.png --sigma 5%")
            .example("Add grain to a photo", "photo.jpg out.jpg --sigma 4% --mono")
            .example("Make another noisy version of the same image, to test a filter",
                     "photo.jpg out.png --sigma 20/255 --seed 2")
            .found_by({"grain"}, "IN OUT --sigma 5%")
            .found_by({"-attenuate N", "-seed N", "-spread N"})
            .cost({.llvmpipe = 20})
            .field("sigma", &Noise::sigma,
                   {.value = "V",
                    .limit = noise_limit,
                    .slider = {0, 0.3, 0.005},
                    .help = "standard deviation of the noise"})
            .field("kind", &Noise::kind, {.value = "K", .help = "how the noise is distributed"})
            .toggle("mono", &Noise::mono, true,
                    {.help = "add the same to all colours of a pixel, like photographic grain"})
            .field("seed", &Noise::seed,
                   {.value = "N",
                    .limit = seed_limit,
                    .help = "each seed gives other noise, and the same one each time"})
            .method(&Noise::method)
            .runs();
    return info;
}

} // namespace glproc
