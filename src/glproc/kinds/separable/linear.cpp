#include "glproc/base/covering.hpp"
#include "glproc/kinds/light.hpp"
#include "glproc/kinds/separable/passes.hpp"

#include <map>
#include <utility>

namespace glproc {

namespace {

enum class Way { to_linear, back };

/// The curves of both directions at each depth, made once for each context.
using Curves = std::map<std::pair<Way, Depth>, Buffer>;

const Buffer& curve_of(Context& gpu, Way way, Depth codes) {
    auto& curves = gpu.kept<Curves>();
    const auto known = curves.find({way, codes});
    if (known != curves.end()) {
        return known->second;
    }
    const Floats curve = way == Way::back ? first_light(codes) : light_of_codes(codes);
    Buffer buffer = gpu.make_buffer(curve.size() * sizeof(float), "linear.curve");
    buffer.write(curve);
    return curves.emplace(std::pair(way, codes), std::move(buffer)).first->second;
}

GpuImage converted(Context& gpu, Way way, const GpuImage& from, const Form& form) {
    GpuImage to = gpu.make_image(form, way == Way::back ? "result" : "linear.light");
    const Depth codes = way == Way::back ? to.depth() : from.depth();
    const int unit = pixels_per_texel({0, 0, from.channels(), codes});
    gpu.pass(way == Way::back ? "linear.back" : "linear.light", "kinds/separable/linear.comp",
             {{"CHANNELS", text(from.stored_channels())},
              {"SRC_DEPTH", text(static_cast<int>(from.depth()))},
              {"DST_DEPTH", text(static_cast<int>(to.depth()))},
              {"HAS_ALPHA", text(from.has_alpha() ? 1 : 0)}})
        .reads("i_src", from)
        .reads(way == Way::back ? "b_codes" : "b_light", curve_of(gpu, way, codes))
        .writes("i_dst", to)
        .over(covering(from.width(), unit), from.height());
    return to;
}

} // namespace

Form working_form(const Form& form, const SeparableFilter& filter) {
    return {form.width, form.height, form.channels, filter.linear ? Depth::f32 : form.depth};
}

GpuImage run_linear(Context& gpu, const GpuImage& src, const SeparableFilter& filter) {
    const GpuImage light = converted(gpu, Way::to_linear, src, working_form(src.form(), filter));
    SeparableFilter plain = filter;
    plain.linear = false;
    plain.nan = NanMode::propagate; // codes are always numbers
    plain.border = linear_border(filter.border, src.depth());
    return converted(gpu, Way::back, run_by_method(gpu, light, plain), src.form());
}

} // namespace glproc
