#include "glproc/ops/background.hpp"

#include "glproc/base/covering.hpp"
#include "glproc/kinds/fetched.hpp"
#include "glproc/kinds/hidden.hpp"
#include "glproc/op/describe.hpp"
#include "glproc/ops/background/rows.hpp"
#include "glproc/ops/blur.hpp"
#include "glproc/ops/median.hpp"
#include "glproc/ops/morphology.hpp"

#include <algorithm>
#include <optional>
#include <utility>

namespace glproc {

namespace {

constexpr Limit curvature_limit{1, 500};

/// A pass of background/erode.comp.
struct Erosion {
    bool is_first = false;
    bool is_down = false; ///< along y
    int flips = 0;
};

/// Of floats, whose sums are rounded, each pixel is searched for by itself.
void erode_floats(Pass& pass, const GpuImage& source, const GpuImage& dst, const Erosion& erosion) {
    pass.set("u_step", erosion.is_down ? Int2{0, 1} : Int2{1, 0}).over(dst.texture().width(), source.height());
}

/// Of whole numbers.
void erode_numbers(Pass& pass, const GpuImage& source, const Erosion& erosion) {
    constexpr int part = 480; // PART of background/envelope.comp
    const int lines = 4 / source.stored_channels(); // that a block has of each channel
    const auto [along, across] = erosion.is_down ? Int2{source.height(), source.width()} : Int2{source.width(), source.height()};
    pass.groups(covering(along, part), covering(across, lines));
}

GpuImage eroded(Context& gpu, const GpuImage& source, const Background& op, const Form& form,
                const Erosion& erosion) {
    GpuImage dst = gpu.make_image({form.width, form.height, form.channels, Depth::f32}, "background.numbers");
    const bool is_float = form.depth == Depth::f32;
    Defines defines{{"CHANNELS", text(source.stored_channels())},
                    {"FIRST", erosion.is_first ? "1" : "0"},
                    {"FETCHED", fetched(gpu.device())}};
    if (!is_float) {
        defines["SRC_DEPTH"] = text(static_cast<int>(source.depth()));
        defines["DOWN"] = erosion.is_down ? "1" : "0";
    }
    Pass pass = gpu.pass("background.erode", is_float ? "background/erode.comp" : "background/envelope.comp", defines);
    pass.reads("i_src", source)
        .writes("i_dst", dst)
        .set("u_size", Int2{form.width, form.height})
        .set("u_reach", paraboloid_reach(op.radius))
        .set("u_unit", form.depth == Depth::u16 ? 257 : 1)
        .set("u_flips", erosion.flips);
    if (is_float) {
        pass.set("u_scale", static_cast<float>(number_scale(op, form)));
        erode_floats(pass, source, dst, erosion);
    } else {
        pass.set("u_scale", number_scale(op, form))
            .set("u_most", static_cast<int>(max_code(form.depth)) * number_scale(op, form));
        erode_numbers(pass, source, erosion);
    }
    return dst;
}

/// Whether a pixel that cannot be seen may find nothing beneath it, an infinity; then 0 stands there.
bool may_find_nothing(const Form& form) {
    return form.has_alpha() && form.depth == Depth::f32;
}

/// The opening of the image, or of its complement.
GpuImage paraboloid_below(Context& gpu, const GpuImage& given, const Background& op) {
    const Form& form = given.form();
    std::optional<GpuImage> seen;
    if (form.has_alpha()) {
        seen.emplace(with_hidden(gpu, given, out_of_reach(op, form.depth)));
    }
    const GpuImage& source = seen ? *seen : given;
    const GpuImage across = eroded(gpu, source, op, form, {.is_first = true, .flips = op.light ? 1 : 0});
    const GpuImage lowered = eroded(gpu, across, op, form, {.is_down = true, .flips = 2});
    const GpuImage raised = eroded(gpu, lowered, op, form, {});
    return eroded(gpu, raised, op, form, {.is_down = true, .flips = op.light ? 0 : 2});
}

int output_code(const Background& op) {
    return op.output == BackgroundOutput::background ? 2 : op.light ? 1 : 0;
}

GpuImage without(Context& gpu, const GpuImage& source, const GpuImage& around, const Background& op) {
    const Form& form = source.form();
    GpuImage dst = gpu.make_image(form, "result");
    gpu.pass("background.subtract", "background/subtract.comp",
             {{"CHANNELS", text(source.stored_channels())},
              {"SRC_DEPTH", text(static_cast<int>(form.depth))},
              {"KEPT", form.has_alpha() || form.channels == 3 ? "1" : "0"},
              {"NUMBERS", op.by == BackgroundMethod::paraboloid ? "1" : "0"}})
        .reads("i_src", source)
        .reads("i_around", around)
        .writes("i_dst", dst)
        .set("u_output", output_code(op))
        .set("u_scale", number_scale(op, form))
        .set("u_per_scale", static_cast<float>(1.0 / number_scale(op, form)))
        .over(source.texture().width(), form.height);
    return dst;
}

/// The background by one of the operations that there are.
Plan known_plan(const Background& op, const Form& form) {
    const bool is_cpu = op.method == PointMethod::cpu;
    if (op.by == BackgroundMethod::gauss) {
        return seen_alike(plan(
            Blur{.sigma = double(op.radius), .method = is_cpu ? FilterMethod::cpu : FilterMethod::automatic},
            form));
    }
    if (op.by == BackgroundMethod::median) {
        return plan(Median{.radius = op.radius,
                           .method = is_cpu ? MedianMethod::cpu : MedianMethod::automatic,
                           .alpha = RankAlpha::ignore},
                    form);
    }
    return plan(Morphology{.step = op.light ? MorphologyStep::close : MorphologyStep::open,
                           .radius = op.radius,
                           .method = is_cpu ? MorphologyMethod::cpu : MorphologyMethod::automatic,
                           .alpha = RankAlpha::ignore},
                form);
}

Plan paraboloid_plan(const Background& op, const Form& form) {
    Plan plan{.shape = {.source = form, .result = form}};
    const int reach = paraboloid_reach(op.radius);
    plan.work.needs = [=](Context&) {
        const int pixels = pixels_per_texel(form);
        const int numbers = pixels_per_texel({form.width, form.height, form.channels, Depth::f32});
        return TileNeeds{.what = "background",
                         .halo = {covering(2 * reach, pixels) * pixels, 2 * reach},
                         .grain = {pixels, 1},
                         .texel_pixels = numbers,
                         .pixel_bytes = 32.0 / pixels + 48.0 / numbers,
                         .pixel_work = 8.0 * reach * form.channels};
    };
    plan.work.run = [op](Context& gpu, const Part& source, const Rect&) {
        return paraboloid_below(gpu, source.image, op);
    };
    return plan;
}

} // namespace

Plan plan(const Background& op, const Form& form) {
    check_limit("radius", op.radius, curvature_limit);
    const Plan around =
        op.by == BackgroundMethod::paraboloid ? paraboloid_plan(op, form) : known_plan(op, form);
    Plan plan = around;
    plan.work.needs = [around, form](Context& gpu) {
        TileNeeds needs = around.work.needs(gpu);
        needs.what = "background";
        needs.pixel_bytes += 16.0 / pixels_per_texel(form);
        return needs;
    };
    set_by_processor(
        plan,
        [=](const Image& source) {
            Image made = op.by == BackgroundMethod::paraboloid
                             ? without_paraboloid(op, source)
                             : without_background(op, source, image_by_processor(around, source));
            return may_find_nothing(form) ? with_hidden(std::move(made), 0) : std::move(made);
        },
        op.by == BackgroundMethod::paraboloid
            ? 16.0 * paraboloid_reach(op.radius) * form.width * form.channels
            : around.twin.row_cost);
    // Two passes of parabolas, whose reach is part of the cost.
    plan.twin.work =
        op.by == BackgroundMethod::paraboloid ? 2.3 * paraboloid_reach(op.radius) : around.twin.work;
    plan.twin.only_proves = op.method == PointMethod::gpu;
    if (op.method == PointMethod::cpu) {
        return on_cpu(std::move(plan));
    }
    plan.work.run = [=](Context& gpu, const Part& source, const Rect& tile) {
        GpuImage made = without(gpu, source.image, around.work.run(gpu, source, tile), op);
        return may_find_nothing(form) ? with_hidden(gpu, made, 0) : std::move(made);
    };
    return plan;
}

const OpInfo& background_info() {
    static const OpInfo info =
        Describe<Background>("background", "subtract an uneven background, such as a microscope's",
                             "in.png out.png --radius 50")
            .example("Flatten the light of a microscope image with bright cells",
                     "photo.jpg flat.tif --radius 60")
            .example("Whiten a photographed page", "photo.jpg flat.png --light --rule tophat --radius 25")
            .found_by({"subtract-background"}, "IN OUT --radius 50")
            .cost({.llvmpipe = 290})
            .field("radius", &Background::radius,
                   {.value = "R",
                    .unit = "pixels",
                    .limit = curvature_limit,
                    .slider = {1, 200},
                    .help = "a size larger than the largest object: the radius of the paraboloid's top, half "
                            "the square's side, or sigma (127 at most for median)"})
            .field("rule", &Background::by,
                   {.value = "RULE", .help = "how to find the background", .alias = "method"})
            .toggle("light", &Background::light, true, {.help = "the background is lighter than the objects"})
            .field("output", &Background::output, {.value = "P", .help = "what to write"})
            .method(&Background::method,
                    {.size = "2448x1505",
                     .ladders = {{.title = "Background of a random 2448x1505 RGBA8 image, ms",
                                  .columns = {{"paraboloid, radius 20", "2448x1505", {{"radius", "20"}}},
                                              {"tophat, radius 50", "2448x1505", {{"rule", "tophat"}}}}}}})
            .runs();
    return info;
}

} // namespace glproc
