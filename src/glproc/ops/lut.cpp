#include "glproc/ops/lut.hpp"

#include "glproc/op/describe.hpp"

#include <cmath>

namespace glproc {

namespace {

/// The entry below a value, and the share of the way to the next.
struct Place {
    std::size_t below;
    double share;
};

Place place_of(const Cube& cube, double v, std::size_t channel) {
    const double range = double{cube.high[channel]} - cube.low[channel];
    const double place = std::clamp((v - cube.low[channel]) / range * (cube.size - 1), 0.0, cube.size - 1.0);
    const double below = std::min(std::floor(place), cube.size - 2.0);
    return {static_cast<std::size_t>(below), place - below};
}

/// From a corner to the opposite one, along the axis of the largest share first.
Colour4 along_three_axes(const Cube& cube, const Colour4& v) {
    const auto size = static_cast<std::size_t>(cube.size);
    std::array<std::pair<double, std::size_t>, 3> steps;
    std::size_t at = 0;
    for (std::size_t c = 0, stride = 1; c < 3; ++c, stride *= size) {
        const Place place = place_of(cube, v[c], c);
        steps[c] = {place.share, stride};
        at += place.below * stride;
    }
    std::sort(steps.rbegin(), steps.rend());
    const auto entry = [&](std::size_t c) { return double{cube.values[3 * at + c]}; };
    Colour4 result{entry(0), entry(1), entry(2), v[3]};
    for (const auto& [share, stride] : steps) {
        const std::array<double, 3> last{entry(0), entry(1), entry(2)};
        at += stride;
        for (std::size_t c = 0; c < 3; ++c) {
            result[c] += share * (entry(c) - last[c]);
        }
    }
    return result;
}

Colour4 through(const Cube& cube, Colour4 v) {
    if (cube.has_three_axes) {
        const double sum = v[0] + v[1] + v[2];
        return std::isnan(v[0]) || std::isnan(v[1]) || std::isnan(v[2]) ? Colour4{sum, sum, sum, v[3]}
                                                                        : along_three_axes(cube, v);
    }
    for (std::size_t c = 0; c < 3; ++c) {
        if (!std::isnan(v[c])) {
            const Place place = place_of(cube, v[c], c);
            const double from = cube.values[3 * place.below + c];
            v[c] = from + place.share * (cube.values[3 * place.below + 3 + c] - from);
        }
    }
    return v;
}

} // namespace

Plan plan(const Lut& op, const Form& form) {
    const Cube& cube = op.cube.table();
    std::vector<float> params = {static_cast<float>(cube.size), cube.has_three_axes ? 1.0F : 0.0F};
    for (std::size_t c = 0; c < 3; ++c) {
        const double range = double{cube.high[c]} - cube.low[c];
        params.insert(params.end(), {cube.low[c], static_cast<float>((cube.size - 1) / range)});
    }
    params.insert(params.end(), cube.values.begin(), cube.values.end());
    return point_plan(form,
                      {.name = "lut",
                       .glsl = "lut.glsl",
                       .params = std::move(params),
                       .channels = form.has_alpha() ? 4 : 3,
                       .channelwise = !cube.has_three_axes,
                       .reference = [file = op.cube](const Colour4& v) { return through(file.table(), v); },
                       .method = op.method});
}

const OpInfo& lut_info() {
    static const OpInfo info =
        Describe<Lut>("lut", "colours through the table of a .cube file", "in.png out.png --cube look.cube")
            .field("cube", &Lut::cube,
                   {.value = "FILE", .help = "the table, along one axis or three", .required = true})
            .method(&Lut::method)
            .runs();
    return info;
}

} // namespace glproc
