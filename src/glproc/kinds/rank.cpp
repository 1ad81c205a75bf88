#include "glproc/kinds/rank.hpp"

#include "glproc/base/covering.hpp"
#include "glproc/kinds/border.hpp"

#include <utility>

namespace glproc {

Defines rank_defines(const Form& form, const Border& border, RankAlpha alpha) {
    const bool keeps = form.channels == 3 || (form.has_alpha() && alpha == RankAlpha::ignore);
    return {{"BORDER", std::to_string(static_cast<int>(border.mode))},
            {"CHANNELS", std::to_string(stored_channels(form.channels))},
            {"SRC_DEPTH", std::to_string(static_cast<int>(form.depth))},
            {"KEEP", keeps ? "1" : "0"}};
}

Uint4 rank_border_texel(const Form& form, const Border& border) {
    return border_texel(form, border_codes(form, border, border.alpha()), form.depth);
}

Plan rank_plan(std::string what, const Form& form, const Border& border, PerAxis<int> radius, double work) {
    check_border(border, form);
    const int pixels = pixels_per_texel(form);
    TileNeeds needs{.what = std::move(what),
                    .halo = {covering(radius.x, pixels) * pixels, radius.y},
                    .grain = {pixels, 1},
                    .repeats = border.mode == BorderMode::wrap,
                    .texel_pixels = pixels,
                    .pixel_bytes = 2 * 16.0 / pixels,
                    .pixel_work = stored_channels(form.channels) * work};
    Plan plan{.shape = {.source = form, .result = form}};
    plan.work.needs = [needs = std::move(needs)](Context&) { return needs; };
    return plan;
}

} // namespace glproc
