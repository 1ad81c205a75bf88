#include "glproc/ops/unsharp.hpp"

#include "glproc/op/describe.hpp"
#include "glproc/ops/blur.hpp"

namespace glproc {

namespace {

constexpr Limit amount_limit{-100, 100};
constexpr Limit threshold_limit{0, 1e30};

} // namespace

Plan plan(const Unsharp& op, const Form& form) {
    if (const std::optional<Plan> light = plan_in_light(op, form); light && op.sigma != PerAxis<double>(0)) {
        return *light; // a filter that only copies values needs no curve
    }
    check_limit("amount", op.amount, amount_limit);
    check_level("threshold", op.threshold, form, between_black_and_white, threshold_limit);
    SeparableFilter filter = gaussian_filter({.sigma = op.sigma,
                                              .border = op.border,
                                              .method = op.method,
                                              .alpha = op.alpha,
                                              .linear = op.linear,
                                              .nan = NanMode::propagate});
    filter.name = "unsharp";
    filter.sharpening = Sharpening{op.amount, op.threshold};
    return separable_plan(form, filter);
}

const OpInfo& unsharp_info() {
    static const OpInfo info =
        Describe<Unsharp>("unsharp", "sharpen an image (unsharp mask)",
                          "in.png out.png --sigma 2 --amount 0.8")
            .alias("sharpen")
            .example("Sharpen edges, but not the noise in a sky",
                     "photo.jpg out.jpg --sigma 1 --amount 1.5 --threshold 2%")
            .example("Shrink a folder and sharpen the results",
                     "glproc pipe photos web/ resize --max 40 then unsharp --sigma 0.5")
            .found_by({"unsharp --radius"}, "IN OUT --sigma 2")
            .found_by({"--sharpness"}, "IN OUT --amount 0.8")
            .found_by({"-adaptive-sharpen N"})
            .cost({.llvmpipe = 30, .alone = 7})
            .field("sigma", &Unsharp::sigma,
                   {.value = "S[,SY]",
                    .unit = "pixels",
                    .limit = sigma_limit,
                    .slider = {0, 10, 0.1},
                    .help = "standard deviation of the blur; S,SY for each axis"})
            .field("amount", &Unsharp::amount,
                   {.value = "A",
                    .limit = amount_limit,
                    .slider = {-1, 4, 0.05},
                    .help = "how much of the difference from the blur to add"})
            .field("threshold", &Unsharp::threshold,
                   {.value = "T",
                    .limit = threshold_limit,
                    .slider = {0, 0.2, 0.002},
                    .help = "leave pixels alone that differ from the blur by no more than this"})
            .field("border", &Unsharp::border)
            .field("alpha", &Unsharp::alpha)
            .toggle("linear", &Unsharp::linear, true,
                    {.help = "sharpen in linear light instead of sRGB-encoded values"})
            .field("floats", &Unsharp::floats)
            .method(&Unsharp::method, {.size = "2448x1505"})
            .runs();
    return info;
}

} // namespace glproc
