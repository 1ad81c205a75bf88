#include "glproc/ops/vignette.hpp"

#include "glproc/op/describe.hpp"

#include <algorithm>
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
    const auto reference = [=](const Colour4& v, const Place& place) {
        const double way =
            std::hypot(2.0 * place.x + 1 - form.width, 2.0 * place.y + 1 - form.height) / diagonal;
        const double t = std::clamp((way - op.start) / (1 - op.start), 0.0, 1.0);
        const double factor = 1 - op.amount * t * t * (3 - 2 * t);
        return Colour4{v[0] * factor, v[1] * factor, v[2] * factor, v[3]};
    };
    return point_plan(form, {.name = "vignette",
                             .glsl = "vignette.glsl",
                             .params = {float(op.amount), float(op.start), float(1 / (1 - op.start)),
                                        float(form.width), float(form.height), float(1 / diagonal)},
                             .finite = true,
                             .placed_reference = reference,
                             .method = op.method});
}

const OpInfo& vignette_info() {
    static const OpInfo info =
        Describe<Vignette>("vignette", "darken the corners of an image, or brighten them",
                           "in.png out.png --amount 0.6")
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
