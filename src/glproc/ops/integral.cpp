#include "glproc/ops/integral.hpp"

#include "glproc/gl/tuning.hpp"
#include "glproc/files/overlap.hpp"
#include "glproc/op/describe.hpp"
#include "glproc/op/proof.hpp"
#include "glproc/ops/integral/parts.hpp"
#include "glproc/op/workload.hpp"

#include <fmt/format.h>

namespace glproc {

namespace {

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

GpuArray run_cpu(Context& gpu, const GpuImage& src, const Image& pixels, bool padded) {
    GpuArray result = make_integral(gpu, src, padded);
    result.words().write(SumsOfBands(src.form(), padded).add(pixels));
    return result;
}

/// The integral with its variant decided.
Integral with_variant(const Context& gpu, const Integral& asked) {
    Integral integral = asked;
    if (integral.variant == IntegralVariant::automatic) {
        integral.variant =
            FieldText<IntegralVariant>::parse({"variant", "", {}}, tuned_variant(gpu.device(), "integral"));
    }
    return integral;
}

/// `pixels`: the image in CPU memory where it lies there already.
GpuArray compute_by_variant(const Integral& asked, Context& gpu, const GpuImage& src, const Image* pixels) {
    check(asked, src.form());
    const Integral integral = with_variant(gpu, asked);
    if (integral.variant == IntegralVariant::cpu) {
        return run_cpu(gpu, src, pixels != nullptr ? *pixels : gpu.download(src), integral.padded);
    }
    return run_integral(gpu, src, integral, plan_integral(gpu, src.form()));
}

Workload integral_workload(const Integral& op, Context& gpu, const ImageInput& input) {
    Integral right = op;
    right.variant = IntegralVariant::cpu;
    return array_workload(
        gpu, input.pixels.bytes().size(),
        [=, &gpu] { return compute_by_variant(op, gpu, input.image, &input.pixels); },
        [=, &gpu] { return gpu.download(compute_by_variant(right, gpu, input.image, &input.pixels)); });
}

/// The same by a variant whose programs are right on this driver.
GpuArray compute(const Integral& asked, Context& gpu, const GpuImage& src, const Image* pixels) {
    return run_by_proved_method(
        gpu, asked, &Integral::variant,
        [&](const Integral& op) { return compute_by_variant(op, gpu, src, pixels); },
        [&](const Integral& op) {
            prove_on_picture(gpu, src.form(),
                             [&](const ImageInput& probe) { return integral_workload(op, gpu, probe); });
        });
}

} // namespace

GpuArray Integral::operator()(Context& gpu, const GpuImage& src) const {
    return compute(*this, gpu, src, nullptr);
}

ArrayForm Integral::array_form(const Form& form) const {
    return {type_of(form.depth), shape_of(form.width, form.height, form.channels, padded).dimensions()};
}

namespace {

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

TileGrid grid_of(const Integral& integral, Context& gpu, const Form& form) {
    check(integral, form);
    return plan_grid(gpu, form, needs_of(form, plan_integral(gpu, form)));
}

} // namespace

void Integral::operator()(Context& gpu, const RowSource& from, RowWriter& to,
                          const TileProgress& progress) const {
    const IntegralPlan plan = plan_integral(gpu, from.form);
    const TileGrid grid = grid_of(*this, gpu, from.form);
    const Integral integral = with_variant(gpu, *this);
    const std::size_t row_bytes =
        word_bytes * shape_of(from.form.width, 1, from.form.channels, padded).row_words();
    const std::unique_ptr<RowWriter> written = write_behind(to, row_bytes);
    if (integral.variant == IntegralVariant::cpu || grid.is_cut_x(from.form) ||
        !fits_rows(gpu, integral, from.form, plan)) {
        SumsOfBands sums(from.form, padded);
        visit_bands(
            from, grid.size.y, [&](const Image& band) { written->write(sums.add(band)); }, progress);
        return written->finish();
    }
    IntegralCarry carry;
    visit_bands(
        from, grid.size.y,
        [&](const Image& band) {
            written->write(run_integral_part(gpu, gpu.upload(band, "band"), integral, plan, carry));
        },
        progress);
    written->finish();
}

const OpInfo& integral_info() {
    static const OpInfo info =
        Describe<Integral>("integral",
                           "sum everything above and to the left (integral image)",
                           "in.png out.npy --padded")
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
            .by_rows({.grid = grid_of,
                      .run = [](const Integral& op, Context& gpu, const RowsInput& input,
                                RowWriter* to) -> std::optional<Report> {
                          op(gpu, input.source, *to, input.progress);
                          return std::nullopt;
                      },
                      .array = &Integral::array_form})
            .runs(Product::array, [](const Integral& op, Context& gpu, const ImageInput& input) -> OpOutput {
                return compute(op, gpu, input.image, &input.pixels);
            });
    return info;
}

} // namespace glproc
