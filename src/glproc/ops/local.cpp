#include "glproc/ops/local.hpp"

#include "glproc/base/covering.hpp"
#include "glproc/kinds/border.hpp"
#include "glproc/kinds/fetched.hpp"
#include "glproc/kinds/window.hpp"
#include "glproc/op/describe.hpp"
#include "glproc/ops/box.hpp"
#include "glproc/ops/local/spread.hpp"
#include "glproc/ops/morphology.hpp"

namespace glproc {

namespace {

// Of Mesa before 25 the loops of an invocation end after 65535 turns.
constexpr Limit square_limit{1, 80};
constexpr std::int64_t walk_rows = 64; // TALL of glsl/local/walk.comp

/// In glsl/local/walk.comp and glsl/local.glsl.
int measure_number(const Local& op) {
    return op.measure == LocalMeasure::variance ? 1 : op.measure == LocalMeasure::mean ? 2 : 0;
}

GpuImage walked(Context& gpu, const GpuImage& source, const Local& op) {
    const Form& form = source.form();
    const bool is_entropy = op.measure == LocalMeasure::entropy;
    const int side = 2 * op.radius + 1;
    const EntropyTerms terms = is_entropy ? entropy_terms(side * side) : EntropyTerms{};
    Buffer buffer = gpu.make_buffer(terms.values.size() * sizeof(std::uint32_t), "local.terms");
    buffer.write(terms.values);
    GpuImage dst = gpu.make_image(form, "result");
    const int across = 32 / source.stored_channels();
    gpu.pass("local", "local/walk.comp",
             {{"BORDER", text(static_cast<int>(op.border.mode))},
              {"CHANNELS", text(source.stored_channels())},
              {"SRC_DEPTH", text(static_cast<int>(form.depth))},
              {"KEPT", form.has_alpha() || form.channels == 3 ? "1" : "0"},
              {"HIDES", form.has_alpha() ? "1" : "0"},
              {"ENTROPY", is_entropy ? "1" : "0"},
              {"FETCHED", fetched(gpu.device())}})
        .reads("i_src", source)
        .reads("b_terms", buffer)
        .writes("i_dst", dst)
        .set("u_size", Int2{form.width, form.height})
        .set("u_border_texel",
             border_texel(form, border_codes(form, op.border, op.border.alpha()), form.depth))
        .set("u_radius", op.radius)
        .set("u_measure", measure_number(op))
        .set("u_unit", static_cast<float>(terms.unit))
        .groups(covering(form.width, across), covering(form.height, walk_rows));
    return dst;
}

/// Of deviations, variances and entropies, and of means beside alpha.
Plan spread_plan(const Local& op, const Form& form) {
    const std::int64_t side = 2 * op.radius + 1;
    Plan plan = window_plan(
        form, {.name = "local",
               .glsl = "local.glsl",
               .reach = op.radius,
               .params = {static_cast<float>(measure_number(op)), form.has_alpha() ? 1.0F : 0.0F},
               .border = op.border,
               .alpha = AlphaMode::straight,
               .turns = 2 * side * side,
               .method = op.method == PointMethod::cpu ? WindowMethod::cpu : WindowMethod::automatic});
    plan.twin.only_proves = op.method == PointMethod::gpu;
    if (form.depth == Depth::f32 && op.measure != LocalMeasure::entropy) {
        return plan;
    }
    plan.twin.run = [op](RowReader& source, RowWriter& to) { spread_rows(op, source, to); };
    plan.twin.work = 0;
    if (plan.work.on_cpu) {
        return on_cpu(std::move(plan));
    }
    plan.work.run = [op](Context& gpu, const Part& source, const Rect&) {
        return walked(gpu, source.image, op);
    };
    return plan;
}

/// The pixels beyond the picture count.
Border with_opaque_colour(const Border& border) {
    return border.mode == BorderMode::constant ? Border(Colour{border.channel(0), border.channel(1), border.channel(2), 1}) : border;
}

/// Whether the result says how values differ, rather than which they are.
bool makes_numbers(LocalMeasure measure) {
    return measure != LocalMeasure::mean && measure != LocalMeasure::min && measure != LocalMeasure::max;
}

Plan plan_by_measure(const Local& given, const Form& form) {
    check_limit("radius", given.radius, square_limit);
    check_border(given.border, form);
    Local op = given;
    op.border = with_opaque_colour(given.border);
    const bool is_cpu = op.method == PointMethod::cpu;
    const auto extreme = [&](MorphologyStep step) {
        return plan(Morphology{.step = step,
                               .radius = op.radius,
                               .border = given.border,
                               .method = is_cpu ? MorphologyMethod::cpu : MorphologyMethod::automatic,
                               .alpha = RankAlpha::ignore},
                    form);
    };
    switch (op.measure) {
    case LocalMeasure::mean:
        return form.has_alpha()
                   ? spread_plan(op, form)
                   : plan(Box{.radius = op.radius,
                              .border = op.border,
                              .method = is_cpu ? FilterMethod::cpu : FilterMethod::automatic},
                          form);
    case LocalMeasure::min:
        return extreme(MorphologyStep::erode);
    case LocalMeasure::max:
        return extreme(MorphologyStep::dilate);
    case LocalMeasure::range:
        return extreme(MorphologyStep::gradient);
    default:
        return spread_plan(op, form);
    }
}

} // namespace

Plan plan(const Local& op, const Form& form) {
    Plan made = plan_by_measure(op, form);
    made.shape.meaning = makes_numbers(op.measure) ? Meaning::numbers : Meaning::kept;
    return made;
}

const OpInfo& local_info() {
    static const OpInfo info =
        Describe<Local>("local", "measure the neighbourhood of each pixel: contrast, texture",
                        "in.png out.png --measure stddev --radius 3")
            .example("Show where an image is in focus: fine detail has a large standard deviation",
                     "photo.jpg out.png --measure stddev --radius 4")
            .example("Tell textures from smooth areas", "photo.jpg out.png --measure entropy --radius 5")
            .cost({.llvmpipe = 30})
            .field("measure", &Local::measure, {.value = "M", .help = "what to measure", .required = true})
            .field("radius", &Local::radius,
                   {.value = "R",
                    .unit = "pixels",
                    .limit = square_limit,
                    .slider = {1, 30},
                    .help = "how far the square reaches from its middle",
                    .required = true})
            .field("border", &Local::border)
            .method(
                &Local::method,
                {.size = "2448x1505",
                 .ladders =
                     {{.title = "Measures of a random 2448x1505 RGBA8 image, ms",
                       .columns =
                           {{"stddev, radius 3", "2448x1505", {{"measure", "stddev"}, {"radius", "3"}}},
                            {"stddev, radius 15", "2448x1505", {{"measure", "stddev"}, {"radius", "15"}}},
                            {"entropy, radius 5", "2448x1505", {{"measure", "entropy"}, {"radius", "5"}}}}}}})
            .runs();
    return info;
}

} // namespace glproc
