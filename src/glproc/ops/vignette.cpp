#include "glproc/ops/vignette.hpp"

#include "glproc/op/describe.hpp"

#include <cmath>

namespace glproc {

namespace {

constexpr Limit darkening_limit{-4, 1};
constexpr Limit start_limit{0, 0.99};

} // namespace

Plan plan(const Vignette& op, const Form& form) {
    check_limit("amount", op.amount, darkening_limit);
    check_limit("start", op.start, start_limit);
    const double diagonal = std::hypot(form.width, form.height);
    Plan plan = point_plan(form, {.name = "vignette",
                                  .glsl = "vignette.glsl",
                                  .params = {float(op.amount), float(op.start), float(1 / (1 - op.start)),
                                             float(form.width), float(form.height), float(1 / diagonal)},
                                  .finite = true,
                                  .placed = true,
                                  .method = op.method});
    plan.twin.work = 115; // a root and quotients of each pixel
    return plan;
}

const OpInfo& vignette_info() {
    static const OpInfo info =
        Describe<Vignette>("vignette", "darken the corners of an image, or brighten them",
                           "in.png out.png --amount 0.6")
            .example("Brighten the corners that a lens has darkened",
                     "photo.jpg out.jpg --amount -0.4 --start 0.5")
            .field("amount", &Vignette::amount,
                   {.value = "A",
                    .limit = darkening_limit,
                    .slider = {-1, 1, 0.01},
                    .help = "how much darker the corners become: 1 is black; negative values brighten them"})
            .field("start", &Vignette::start,
                   {.value = "S",
                    .limit = start_limit,
                    .slider = {0, 0.99, 0.01},
                    .help = "where the change begins: 0 in the middle, 0.99 just before the corners"})
            .method(&Vignette::method)
            .runs();
    return info;
}

} // namespace glproc
