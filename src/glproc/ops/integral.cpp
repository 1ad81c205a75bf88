#include "glproc/ops/integral.hpp"

#include "glproc/gl/tuning.hpp"
#include "glproc/op/describe.hpp"
#include "glproc/op/proof.hpp"
#include "glproc/op/workload.hpp"
#include "glproc/ops/integral/parts.hpp"

#include <fmt/format.h>

namespace glproc {

namespace {

constexpr auto integral_variants =
    tuning<IntegralVariant>({{"llvmpipe", any_radius, IntegralVariant::cpu,
                              "2448x1505 grey of 8 bits: cpu 30 ms, rows_columns 65, bands 80 (llvmpipe, "
                              "Mesa 22.3.6, two busy cores, 2026-11-20)"},
                             {"", any_radius, IntegralVariant::bands,
                              "8192x8192 grey of 8 bits: bands 0.160 ms, tiles transposed in shared memory "
                              "0.268 (NVIDIA H200, driver 580.159.04, 2026-11-20)"}});

void check(const Integral& integral, const Form& src) {
    constexpr double most = 4294967295.0;
    const double largest_sum = double(src.width) * src.height * max_code(src.depth);
    if (src.depth != Depth::f32 && !integral.wrap && largest_sum > most) {
        throw Error(ErrorCode::usage,
                    fmt::format("the sums of a {}x{} image of {} bits can exceed 2^32 - 1", src.width,
                                src.height, static_cast<int>(src.depth)),
                    "--wrap keeps them modulo 2^32");
    }
}

/// The integral with its variant decided.
Integral with_variant(const Context& gpu, const Integral& asked) {
    Integral integral = asked;
    if (integral.variant == IntegralVariant::automatic) {
        integral.variant = tuned(integral_variants, gpu.device());
    }
    return integral;
}

TileNeeds needs_of(const Form& form, const IntegralPlan& plan) {
    const int pixels = pixels_per_texel(form);
    return {.what = "integral",
            .grain = {pixels, plan.band},
            .texel_pixels = pixels,
            .pixel_bytes = 16.0 / pixels + double(word_bytes) * form.channels + 16.0 / plan.band,
            .pixel_work = 4};
}

/// Whether the GPU can take rows of this form: a band of them must fit a storage block.
bool fits_rows(Context& gpu, const Integral& integral, const Form& form, const IntegralPlan& plan) {
    const std::size_t row_words = shape_of(form.width, 1, form.channels, integral.padded).row_words();
    const double band_bytes = static_cast<double>(row_words) * word_bytes * (plan.band + 1);
    return texels_per_row(form) <= gpu.limits().texture_size &&
           band_bytes + 256.0 < static_cast<double>(plan.block_bytes);
}

std::unique_ptr<SweepState> begin(const Integral& op, Context& gpu, const BandCut& cut) {
    const Form& form = cut.picture;
    const Integral integral = with_variant(gpu, op);
    const IntegralPlan plan = plan_integral(gpu, form);
    if (integral.variant == IntegralVariant::cpu || cut.is_wide || !fits_rows(gpu, integral, form, plan)) {
        return std::make_unique<SumsOnCpu>(form, integral.padded);
    }
    return std::make_unique<SumsOnGpu>(integral, plan);
}

/// The sums of a whole picture, whose programs are proved by nobody.
GpuArray sums_of(const Integral& op, Context& gpu, const ImageInput& input) {
    SweepPlan unproved = plan(op, input.image.form());
    unproved.prove = {};
    return std::move(run_sweeps(gpu, unproved, input.image, &input.pixels).array.value());
}

Workload integral_workload(const Integral& op, Context& gpu, const ImageInput& input) {
    Integral right = op;
    right.variant = IntegralVariant::cpu;
    return array_workload(
        gpu, input.pixels.bytes().size(), [=, &gpu] { return sums_of(op, gpu, input); },
        [=, &gpu] { return gpu.download(sums_of(right, gpu, input)); });
}

/// Sums of integers are the same by every method.
bool needs_no_device(const Integral& op, const Form& form, bool at_need) {
    return op.variant == IntegralVariant::cpu ||
           (op.variant == IntegralVariant::automatic && (at_need || form.depth != Depth::f32));
}

MadeAlone sums_alone(const Integral& op, const std::string&, const Image& picture) {
    check(op, picture.form());
    const ArrayForm form = op.array_form(picture.form());
    return {.array = Array{form.type, form.shape, SumsOnCpu(picture.form(), op.padded).sums_of(picture, true)}};
}

} // namespace

SweepPlan plan(const Integral& op, const Form& form) {
    check(op, form);
    return {.source = form,
            .needs = [form](Context& gpu) { return needs_of(form, plan_integral(gpu, form)); },
            .sweeps = {{.begin = [op](Context& gpu, const BandCut& cut, SweepState*) { return begin(op, gpu, cut); }}},
            .array = op.array_form(form),
            .prove = [op, form](Context& gpu) {
                prove_on_picture(gpu, form,
                                 [&](const ImageInput& probe) { return integral_workload(op, gpu, probe); });
            }};
}

ArrayForm Integral::array_form(const Form& form) const {
    return {type_of(form.depth), shape_of(form.width, form.height, form.channels, padded).dimensions()};
}

GpuArray Integral::operator()(Context& gpu, const GpuImage& src) const {
    const auto run = [&](const Integral& op) { return run_sweeps(gpu, plan(op, src.form()), src); };
    return std::move(run_by_proved_method(gpu, *this, &Integral::variant, run).array.value());
}

void Integral::operator()(Context& gpu, const RowSource& from, RowWriter& to,
                          const TileProgress& progress) const {
    run_by_proved_method(gpu, *this, &Integral::variant, [&](const Integral& op) {
        return run_sweeps(gpu, plan(op, from.form), from, &to, progress);
    });
}

const OpInfo& integral_info() {
    static const OpInfo info =
        Describe<Integral>("integral",
                           "sum everything above and to the left (integral image)",
                           "in.png out.npy --padded")
            .example("Make the table that OpenCV's integral() makes", "photo.jpg sums.npy --padded")
            .cost({.llvmpipe = 50, .alone = 3})
            .toggle(
                "padded", &Integral::padded, true,
                {.help = "add a row of zeros at the top and a column of zeros at the left, as OpenCV does"})
            .toggle(
                "wrap", &Integral::wrap, true,
                {.help =
                     "let sums above 2^32 - 1 wrap modulo 2^32; without it, images that could reach them "
                     "are refused"})
            .field("method", &Integral::variant,
                   {.value = "M",
                    .help = "the algorithm; integer sums are identical, float sums agree within rounding",
                    .alias = "variant"})
            .bench<ImageInput>(
                "method", &Integral::variant,
                {.size = "2448x1505",
                 .channels = 1,
                 .ladders = {{.title = "Integral image of a random 2448x1505 grey image, ms",
                              .columns = {{"8 bits to u32", "2448x1505"}}}}},
                [](const Integral&, Context&, const ImageInput&) { return std::optional<std::string>(); },
                integral_workload)
            .by_processor(&needs_no_device, &sums_alone)
            .runs(Product::array, &plan, &Integral::variant);
    return info;
}

} // namespace glproc
