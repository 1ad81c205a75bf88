#include "glproc/kinds/light.hpp"

#include "glproc/gl/gpu_image.hpp"
#include "glproc/kinds/point.hpp"
#include "glproc/math/srgb.hpp"

namespace glproc {

namespace {

Floats on_curve(Depth depth, int count, double shift) {
    Floats values;
    for (int code = 0; code < count; ++code) {
        values.push_back(static_cast<float>(linear_of_srgb((code + shift) / max_code(depth))));
    }
    return values;
}

} // namespace

Plan in_light(const Form& form, const Plan& filter) {
    const Plan to_light =
        point_plan(form, {.name = "linear.light", .glsl = "kinds/light/linear_of_srgb.glsl"});
    const Plan back =
        point_plan(filter.shape.result, {.name = "linear.back", .glsl = "kinds/light/srgb_of_linear.glsl"});
    Plan plan = filter;
    plan.twin.run = one_after_another({to_light, filter, back});
    plan.twin.holds_picture = true;
    plan.work.needs = [filter, form](Context& gpu) {
        TileNeeds needs = filter.work.needs(gpu);
        needs.pixel_bytes += 16.0 / pixels_per_texel(form) + 16.0 / pixels_per_texel(filter.shape.result);
        return needs;
    };
    plan.work.run = [=](Context& gpu, const Part& source, const Rect& result) {
        const GpuImage light = to_light.work.run(gpu, source, source.rect);
        const GpuImage filtered = filter.work.run(gpu, {light, source.rect}, result);
        return back.work.run(gpu, {filtered, result}, result);
    };
    plan.twin.row_cost = filter.twin.row_cost;
    return filter.work.on_cpu ? on_cpu(std::move(plan)) : plan;
}

Border border_in_light(const Border& border) {
    Border result = border;
    result.value = linear_of_srgb(border.value);
    if (border.colour) {
        const Colour& c = *border.colour;
        result.colour =
            Colour{linear_of_srgb(c.red), linear_of_srgb(c.green), linear_of_srgb(c.blue), c.alpha};
    }
    return result;
}

Floats light_of_codes(Depth depth) {
    return on_curve(depth, static_cast<int>(max_code(depth)) + 1, 0);
}

Floats first_light(Depth depth) {
    return on_curve(depth, static_cast<int>(max_code(depth)), 0.5);
}

} // namespace glproc
