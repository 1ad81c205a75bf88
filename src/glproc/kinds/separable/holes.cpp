#include "glproc/kinds/separable/passes.hpp"

#include <cstdint>
#include <optional>

namespace glproc {

namespace {

Pass holes_pass(Context& gpu, std::string_view label, int step, const GpuImage& src,
                const SeparableFilter& filter) {
    Defines defines = common_defines(src.form(), filter);
    defines.erase("BORDER");
    defines["STEP"] = text(step);
    Pass pass = gpu.pass(label, "kinds/separable/holes.comp", defines);
    pass.reads("i_src", src);
    return pass;
}

void run_over(Pass& pass, const GpuImage& image) {
    pass.over(image.texture().width(), image.height());
}

} // namespace

bool has_holes(Context& gpu, const GpuImage& src, const SeparableFilter& filter) {
    Buffer found = gpu.make_buffer(sizeof(std::uint32_t), "holes.found");
    found.fill(0);
    Pass pass = holes_pass(gpu, "holes.find", 0, src, filter);
    pass.updates("b_found", found).set("u_size", Int2{src.width(), src.height()});
    run_over(pass, src);
    return found.read<std::uint32_t>(1).front() != 0;
}

GpuImage run_around_holes(Context& gpu, const GpuImage& src, const SeparableFilter& filter) {
    // Each is freed as soon as it has been filtered: needs_of() counts on two images besides the filter's.
    std::optional<GpuImage> whole = gpu.make_image(src.form(), "holes.whole");
    std::optional<GpuImage> share = gpu.make_image(src.form(), "holes.share");
    Pass take_out = holes_pass(gpu, "holes.out", 1, src, filter);
    take_out.writes("i_dst", *whole).writes("i_share", *share);
    run_over(take_out, src);

    SeparableFilter plain = filter;
    plain.nan = NanMode::propagate;
    const GpuImage sums = run_by_method(gpu, *whole, plain);
    whole.reset();
    plain.border = {filter.border.mode, 1.0}; // beyond the image there are no holes
    plain.border_alpha = filter.alpha == AlphaMode::premultiply ? filter.border_alpha : 1.0;
    const GpuImage shares = run_by_method(gpu, *share, plain);
    share.reset();

    GpuImage result = gpu.make_image(src.form(), "result");
    Pass divide = holes_pass(gpu, "holes.divide", 2, sums, filter);
    divide.reads("i_share", shares).reads("i_kept", src).writes("i_dst", result);
    run_over(divide, src);
    return result;
}

} // namespace glproc
