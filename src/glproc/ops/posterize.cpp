#include "glproc/ops/posterize.hpp"

#include "glproc/op/describe.hpp"

#include <cmath>

namespace glproc {

namespace {

constexpr Limit levels_limit{2, 256};

} // namespace

Plan plan(const Posterize& op, const Form& form) {
    check_limit("levels", op.levels, levels_limit);
    const double full = max_code(form.depth);
    const int steps = op.levels - 1;
    std::vector<float> params = {code_unit(form), static_cast<float>(steps)};
    for (int level = 0; level < op.levels; ++level) {
        const double value = full * level / steps;
        params.push_back(
            static_cast<float>(form.depth == Depth::f32 ? value : std::floor(value + 0.5) / full));
    }
    return point_plan(form, {.name = "posterize",
                             .glsl = "posterize.glsl",
                             .params = std::move(params),
                             .channelwise = true,
                             .searches = true,
                             .finite = true,
                             .method = op.method});
}

const OpInfo& posterize_info() {
    static const OpInfo info =
        Describe<Posterize>("posterize", "reduce each colour to a few levels", "in.png out.png --levels 4")
            .example("Make flat areas of a photo, as on a screen print", "photo.jpg out.png --levels 5")
            .field("levels", &Posterize::levels,
                   {.value = "N",
                    .limit = levels_limit,
                    .slider = {2, 32, 1},
                    .help = "how many values of each colour remain, at equal distances from 0 to 1; floats "
                            "are clamped to these"})
            .method(&Posterize::method)
            .runs();
    return info;
}

} // namespace glproc
