#include "glproc/kinds/light.hpp"
#include "glproc/kinds/separable/passes.hpp"

#include <utility>

namespace glproc {

namespace {

enum class Way { to_linear, back };

void convert(Context& gpu, Way way, const GpuImage& from, GpuImage& to, FilterMemory& memory) {
    const Depth codes = way == Way::back ? to.depth() : from.depth();
    const auto table = static_cast<std::size_t>(way);
    if (memory.tables.size() <= table) {
        const Floats curve = way == Way::back ? first_light(codes) : light_of_codes(codes);
        memory.tables.push_back(gpu.make_buffer(curve.size() * sizeof(float), "linear.curve"));
        memory.tables.back().write(curve);
    }
    const int unit = pixels_per_texel({0, 0, from.channels(), codes});
    gpu.pass(way == Way::back ? "linear.back" : "linear.light", "kinds/separable/linear.comp",
             {{"CHANNELS", text(from.stored_channels())},
              {"SRC_DEPTH", text(static_cast<int>(from.depth()))},
              {"DST_DEPTH", text(static_cast<int>(to.depth()))},
              {"HAS_ALPHA", text(from.has_alpha() ? 1 : 0)}})
        .reads("i_src", from)
        .reads(way == Way::back ? "b_codes" : "b_light", memory.tables[table])
        .writes("i_dst", to)
        .over((from.width() + unit - 1) / unit, from.height());
}

} // namespace

Form working_form(const Form& form, const SeparableFilter& filter) {
    return {form.width, form.height, form.channels, filter.linear ? Depth::f32 : form.depth};
}

void run_linear(Context& gpu, const GpuImage& src, const SeparableFilter& filter, FilterMemory& memory) {
    GpuImage& light = memory.scratch_image(gpu, 0, working_form(src.form(), filter), "linear.light");
    convert(gpu, Way::to_linear, src, light, memory);
    SeparableFilter plain = filter;
    plain.linear = false;
    plain.nan = NanMode::propagate; // codes are numbers
    plain.border = linear_border(filter.border, src.depth());
    run_by_method(gpu, light, plain, memory.part(0));
    convert(gpu, Way::back, memory.part(0).result.value(), result_of(memory, gpu, src), memory);
}

} // namespace glproc
