#include "glproc/ops/noise.hpp"

#include "glproc/math/philox.hpp"
#include "glproc/op/describe.hpp"

#include <cmath>
#include <numbers>

namespace glproc {

namespace {

constexpr Limit noise_limit{0, 1e30};
constexpr Limit seed_limit{0, 2147483647};

/// The middle of one of 2^23 parts of 0 to 1.
double share_of(std::uint32_t bits) {
    return ((bits & 0x7fffffU) + 0.5) * 0x1p-23;
}

/// How far a radius and an angle lead along x, or along y with the angle a quarter less.
double normal(std::uint32_t for_length, std::uint32_t for_angle, unsigned quarters_less) {
    const double radius = std::sqrt(-2 * std::log(share_of(for_length >> 9)));
    const double quarters = (for_angle >> 30) + share_of(for_angle >> 7) - quarters_less;
    return radius * std::cos(quarters * std::numbers::pi / 2);
}

Colour4 deviates(const Noise& op, const Place& place) {
    const auto words =
        philox({static_cast<std::uint32_t>(place.x), static_cast<std::uint32_t>(place.y), 0, 0},
               {static_cast<std::uint32_t>(op.seed), 0});
    const auto uniform = [&](std::size_t i) { return (share_of(words[i] >> 9) - 0.5) * std::sqrt(12.0); };
    Colour4 noise = op.kind == NoiseKind::uniform
                        ? Colour4{uniform(0), uniform(1), uniform(2), 0}
                        : Colour4{normal(words[0], words[1], 0), normal(words[0], words[1], 1),
                                  normal(words[2], words[3], 0), 0};
    return op.mono ? Colour4{noise[0], noise[0], noise[0], 0} : noise;
}

} // namespace

Plan plan(const Noise& op, const Form& form) {
    check_level("sigma", op.sigma, form, between_black_and_white, noise_limit);
    check_limit("seed", op.seed, seed_limit);
    const double sigma = op.sigma.value;
    const auto reference = [=](const Colour4& v, const Place& place) {
        const Colour4 noise = deviates(op, place);
        return Colour4{v[0] + sigma * noise[0], v[1] + sigma * noise[1], v[2] + sigma * noise[2], v[3]};
    };
    return point_plan(form, {.name = "noise",
                             .glsl = "noise.glsl",
                             .params = {float(sigma), op.kind == NoiseKind::uniform ? 1.0F : 0.0F,
                                        op.mono ? 1.0F : 0.0F, float(op.seed & 0xffff), float(op.seed >> 16)},
                             .finite = true,
                             .placed_reference = reference,
                             .method = op.method});
}

const OpInfo& noise_info() {
    static const OpInfo info =
        Describe<Noise>("noise", "add noise or grain", "in.png out.png --sigma 5%")
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
