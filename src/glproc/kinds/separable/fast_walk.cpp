#include "glproc/base/covering.hpp"
#include "glproc/kinds/separable/fast_steps.hpp"

namespace glproc {

namespace {

constexpr int unit_lanes = 16; // UNIT_LANES of the kernels
constexpr int turns = 80;      // of an invocation; it takes up to 5 more before its first result

int is_padded(const GpuImage& image) {
    return image.channels() == 3 ? 1 : 0;
}

/// Units across.
int units_of(const GpuImage& image) {
    const int pixels = unit_lanes / image.stored_channels();
    return covering(image.width(), pixels);
}

Defines walk_defines(const FastStep& step, int stride) {
    Defines all = step.down_defines();
    all["PADDED"] = text(is_padded(step.from));
    all["STRIDE"] = text(stride);
    return all;
}

} // namespace

void walk_down(const FastStep& step) {
    Context& gpu = step.blur.gpu;
    const GpuImage& from = step.from;
    const int stride_x = step.along_x().stride;
    const int stride_y = step.along_y().stride;
    const Int2 samples{step.to.width(), step.to.height()};
    GpuImage sums = gpu.make_image({from.width(), samples[1], from.channels(), Depth::f32}, "blur.sums");

    Defines along_y = walk_defines(step, stride_y);
    along_y["SRC_DEPTH"] = text(static_cast<int>(from.depth()));
    gpu.pass("blur.down.columns", "kinds/separable/fast_walk_columns.comp", along_y)
        .reads("i_src", from)
        .updates("i_dst", sums)
        .set("u_size", Int2{from.width(), from.height()})
        .set("u_border_texel", step.border(from.depth()))
        .set("u_taps_y", step.down_taps_y())
        .set("u_first", step.first[1] * stride_y)
        .set("u_samples", samples[1])
        .set("u_rows", turns)
        .over(units_of(from), covering(samples[1], turns));

    Defines along_x = walk_defines(step, stride_x);
    along_x["DST_DEPTH"] = text(static_cast<int>(step.to.depth()));
    gpu.pass("blur.down.rows", "kinds/separable/fast_walk_rows.comp", along_x)
        .reads("i_src", sums)
        .writes("i_dst", step.to)
        .set("u_size", Int2{from.width(), from.height()})
        .set("u_border_texel", step.border(Depth::f32))
        .set("u_taps_x", step.down_taps_x())
        .set("u_first", step.first[0] * stride_x)
        .set("u_samples", samples[0])
        .set("u_columns", turns) // whole texels
        .over(samples[1], covering(samples[0], turns));
}

void walk_up(const FastStep& step) {
    const FastBlur& blur = step.blur;
    const Int2 stride{step.along_x().stride, step.along_y().stride};
    Defines all = step.up_defines();
    all["PADDED"] = text(is_padded(step.to));
    all["SRC_DEPTH"] = text(static_cast<int>(step.from.depth()));
    all["DST_DEPTH"] = text(static_cast<int>(step.to.depth()));
    all["SPAN"] = text(step.span(4));
    all["SHARPEN"] = text(step.sharpens() ? 1 : 0);
    const int rows = turns * stride[1];
    Pass pass = blur.gpu.pass("blur.up", "kinds/separable/fast_walk_up.comp", all);
    if (step.sharpens()) {
        supply_sharpening(pass, blur.src, blur.filter);
    }
    pass.reads("i_src", step.from)
        .reads("i_own", blur.src)
        .updates("i_dst", step.to)
        .set("u_size", Int2{step.to.width(), step.to.height()})
        .set("u_taps_x", step.up_taps_x())
        .set("u_taps_y", step.along_y().up)
        .set("u_stride", stride)
        .set("u_first", step.first_seen())
        .set("u_rows", rows)
        .over(units_of(step.to), covering(step.to.height(), rows));
}

} // namespace glproc
