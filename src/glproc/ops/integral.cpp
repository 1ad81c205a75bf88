#include "glproc/ops/integral.hpp"

#include "glproc/gl/tuning.hpp"
#include "glproc/ops/describe.hpp"
#include "glproc/ops/workload.hpp"

#include <algorithm>
#include <array>
#include <span>
#include <utility>

namespace glproc {

namespace {

constexpr std::size_t word_bytes = sizeof(std::uint32_t);
constexpr int unit_lanes = 16; // of glsl/lib/integral.glsl

std::string text(int value) {
    return std::to_string(value);
}

std::uint32_t whole(std::size_t value) {
    return static_cast<std::uint32_t>(value);
}

/// The size of a result.
struct ResultShape {
    std::size_t rows;
    std::size_t columns;
    std::size_t channels;

    std::size_t row_words() const { return columns * channels; }
    std::vector<std::size_t> dimensions() const {
        return channels == 1 ? std::vector{rows, columns} : std::vector{rows, columns, channels};
    }
};

ResultShape shape_of(int width, int height, int channels, bool padded) {
    const std::size_t pad = padded ? 1 : 0;
    return {static_cast<std::size_t>(height) + pad, static_cast<std::size_t>(width) + pad,
            static_cast<std::size_t>(channels)};
}

ArrayType type_of(Depth depth) {
    return depth == Depth::f32 ? ArrayType::f32 : ArrayType::u32;
}

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

/// Sums of a picture that comes in bands, on the CPU.
class SumsOfBands {
  public:
    SumsOfBands(const Form& form, bool padded) : form_(form), padded_(padded) {
        const std::size_t values = form.row_bytes() / bytes_of(form.depth);
        if (form.depth == Depth::f32) {
            doubles_.resize(values);
        } else {
            words_.resize(values);
        }
    }

    /// The rows of the result that belong to a band; with the first comes the row of zeros.
    std::vector<std::byte> add(const Image& band) {
        const bool first = std::exchange(is_first_, false);
        switch (form_.depth) {
        case Depth::u8:
            return sum_up<std::uint8_t, std::uint32_t>(band, first, words_);
        case Depth::u16:
            return sum_up<std::uint16_t, std::uint32_t>(band, first, words_);
        case Depth::f32:
            break;
        }
        return sum_up<float, float>(band, first, doubles_);
    }

  private:
    /// T is a channel value, Out what is stored, Sum what sums are kept in: those of all above, for each column.
    template <class T, class Out, class Sum>
    std::vector<std::byte> sum_up(const Image& band, bool first, std::vector<Sum>& above) const {
        const ResultShape shape = shape_of(band.width(), band.height(), band.channels(), padded_);
        const std::size_t pad = padded_ ? 1 : 0;
        const std::size_t top = first ? pad : 0;
        const std::size_t rows = static_cast<std::size_t>(band.height()) + top;
        std::vector<std::byte> result(rows * shape.row_words() * sizeof(Out));
        const std::span<Out> words(reinterpret_cast<Out*>(result.data()), result.size() / sizeof(Out));
        const T* value = band.values<T>().data();
        for (std::size_t y = top; y < rows; ++y) {
            Out* out = &words[y * shape.row_words() + pad * shape.channels];
            std::array<Sum, 4> row{};
            for (std::size_t i = 0; i < above.size(); ++i) {
                Sum& sum = row[i % shape.channels];
                sum += static_cast<Sum>(*value++);
                above[i] += sum;
                out[i] = static_cast<Out>(above[i]);
            }
        }
        return result;
    }

    Form form_;
    bool padded_;
    bool is_first_ = true;
    std::vector<std::uint32_t> words_;
    std::vector<double> doubles_;
};

GpuArray make_result(Context& gpu, const GpuImage& src, bool padded) {
    const ResultShape shape = shape_of(src.width(), src.height(), src.channels(), padded);
    return {type_of(src.depth()), shape.dimensions(),
            gpu.make_buffer(shape.rows * shape.row_words() * word_bytes, "integral")};
}

GpuArray run_cpu(Context& gpu, const GpuImage& src, const Image& pixels, bool padded) {
    GpuArray result = make_result(gpu, src, padded);
    result.words.write(SumsOfBands(src.form(), padded).add(pixels));
    return result;
}

/// Part of a buffer that begins where a range may.
struct Slice {
    BufferRange range;
    std::uint32_t shift = 0; ///< words in the range before what was asked for
};

/// One call on the GPU.
struct IntegralJob {
    Context& gpu;
    const GpuImage& src;
    bool padded;
    const IntegralPlan& plan;
    ResultShape shape;
    Buffer& sums;
    /// The row of the result that the buffer begins with: 0, but for parts below the first.
    int origin = 0;

    int pad() const { return padded ? 1 : 0; }
    int rows() const { return static_cast<int>(shape.rows); }
    std::size_t alignment() const {
        return static_cast<std::size_t>(std::max<std::int64_t>(gpu.limits().storage_alignment, 16));
    }
    /// Units of 16 lanes in a row of the image.
    int units() const {
        const int lanes = src.texture().width() * pixels_per_texel(src.form()) * src.stored_channels();
        return (lanes + unit_lanes - 1) / unit_lanes;
    }
    std::size_t band_words() const { return static_cast<std::size_t>(units()) * unit_lanes; }

    /// How many rows of so many words fit in a block, wherever they begin.
    int rows_in_block(std::size_t row_words) const {
        const std::size_t room = plan.block_bytes - std::min(plan.block_bytes, alignment());
        return static_cast<int>(std::min<std::size_t>(room / (row_words * word_bytes), 1U << 30U));
    }

    Slice slice(int first_row, int end_row) const {
        const std::size_t from = static_cast<std::size_t>(first_row - origin) * shape.row_words() * word_bytes;
        const std::size_t to = static_cast<std::size_t>(end_row - origin) * shape.row_words() * word_bytes;
        const std::size_t begin = from / alignment() * alignment();
        return {{begin, to - begin}, whole((from - begin) / word_bytes)};
    }

    Defines float_define() const { return {{"FLOAT", src.depth() == Depth::f32 ? "1" : "0"}}; }

    /// A pass that reads the image, and writes these rows of the result.
    Pass pass(std::string_view label, std::string_view kernel, Defines defines, int first_row,
              int end_row) const {
        defines.merge(float_define());
        defines["CHANNELS"] = text(src.stored_channels());
        defines["SRC_DEPTH"] = text(static_cast<int>(src.depth()));
        const Slice rows = slice(first_row, end_row);
        Pass pass = gpu.pass(label, kernel, defines);
        pass.reads("i_src", src)
            .writes("b_sums", sums, rows.range)
            .set("u_size", Int2{src.width(), src.height()})
            .set("u_shift", rows.shift)
            .set("u_first_row", first_row)
            .set("u_end_row", end_row)
            .set("u_row_words", whole(shape.row_words()))
            .set("u_channels", src.channels())
            .set("u_pad", pad());
        return pass;
    }

    /// Running sums down the columns of `rows` rows of a buffer.
    void sum_columns(Buffer& words, const Slice& from, int rows, std::size_t row_words, int segments) const {
        Defines defines = float_define();
        defines["SEGMENTS"] = text(segments);
        constexpr std::size_t group_columns = 32;
        gpu.pass("integral.columns", "integral_columns.comp", defines)
            .updates("b_words", words, from.range)
            .set("u_shift", from.shift)
            .set("u_rows", static_cast<std::uint32_t>(rows))
            .set("u_row_words", whole(row_words))
            .groups_1d(static_cast<std::int64_t>((row_words + group_columns - 1) / group_columns));
    }
};

/// `first_row`: of the result, the first that is not there yet. The one above it, if there is any, is.
void run_rows_columns(const IntegralJob& job, int first_row) {
    // One row more: the columns go on from the last row of the part before.
    const int part = std::max(job.rows_in_block(job.shape.row_words()) - 1, 1);
    for (int first = first_row; first < job.rows(); first += part) {
        const int end = std::min(first + part, job.rows());
        job.pass("integral.rows", "integral_rows.comp",
                 {{"GROUP", text(job.plan.rows_group)}, {"SUBGROUP", job.plan.subgroup == 1 ? "1" : "0"}},
                 first, end)
            .set("u_units", job.units())
            .groups_1d(end - first);
        const int above = std::max(first - 1, job.origin);
        job.sum_columns(job.sums, job.slice(above, end), end - above, job.shape.row_words(), 1);
    }
}

void run_bands(const IntegralJob& job, IntegralCarry& carry) {
    const int band = job.plan.band();
    const int bands = (job.src.height() + band - 1) / band;
    const int fit = std::min((job.rows_in_block(job.shape.row_words()) - job.pad()) / band,
                             job.rows_in_block(job.band_words()) - 1);
    const int part = std::clamp(fit, 1, std::min(bands, 65534)); // so many groups the grid has
    const auto band_buffer = [&](int rows) {
        return job.gpu.make_buffer(static_cast<std::size_t>(rows) * job.band_words() * word_bytes,
                                   "integral.bands");
    };
    // Floats are added in the order of the bands, so that a sum is the same whatever the parts.
    const int segments = job.src.depth() == Depth::f32 ? 1 : job.plan.column_segments;
    const bool is_first = !carry.words.has_value();
    Buffer words = band_buffer(part + 1);
    Buffer before = is_first ? band_buffer(part < bands ? part + 1 : 1) : std::move(*carry.words);
    int before_row = is_first ? -1 : carry.row;
    for (int first = 0; first < bands; first += part) {
        const int count = std::min(part, bands - first);
        const int first_row = first == 0 ? job.origin : first * band + job.pad();
        const int end_row = std::min((first + count) * band + job.pad(), job.rows());
        job.pass("integral.bands", "integral_bands.comp", {{"BAND", text(band)}}, first_row, end_row)
            .reads("b_before", before)
            .writes("b_words", words)
            .set("u_first_band", first)
            .set("u_before_row", before_row)
            .set("u_band_words", whole(job.band_words()))
            .over(static_cast<std::int64_t>(job.band_words()) * bytes_of(job.src.depth()) / 16, count + 1);
        job.sum_columns(words, {{0, words.bytes()}, 0}, count + 1, job.band_words(),
                        segments);
        job.pass("integral.walk", "integral_walk.comp",
                 {{"SEGMENTS", text(job.plan.segments)},
                  {"GROUP", text(job.plan.bands_group)},
                  {"SUBGROUP", text(job.plan.subgroup)}},
                 first_row, end_row)
            .reads("b_words", words)
            .set("u_units", job.units())
            .set("u_first_band", first)
            .set("u_band_words", whole(job.band_words()))
            .groups(count);
        before_row = count;
        std::swap(words, before);
        if (words.bytes() < before.bytes()) { // it was a smaller part's
            words = band_buffer(part + 1);
        }
    }
    carry = {std::move(before), before_row};
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
GpuArray compute(const Integral& asked, Context& gpu, const GpuImage& src, const Image* pixels) {
    check(asked, src.form());
    const Integral integral = with_variant(gpu, asked);
    if (integral.variant == IntegralVariant::cpu) {
        return run_cpu(gpu, src, pixels != nullptr ? *pixels : gpu.download(src), integral.padded);
    }
    return run_integral(gpu, src, integral, plan_integral(gpu));
}

} // namespace

IntegralPlan plan_integral(Context& gpu) {
    IntegralPlan plan{.block_bytes = static_cast<std::size_t>(gpu.limits().storage_block_bytes)};
    // Elsewhere a group's subgroups may be of another size than the limit says, or of several.
    if (gpu.device().has_subgroup && gpu.limits().subgroup_size == 32 && gpu.device().is("nvidia")) {
        plan.segments = 32;
        plan.bands_group = 512;
        plan.subgroup = 1;
    }
    if (gpu.device().software) { // few invocations, so that barriers are cheap
        plan.rows_group = 8;
        plan.column_segments = 4;
    }
    return plan;
}

GpuArray run_integral(Context& gpu, const GpuImage& src, const Integral& integral, const IntegralPlan& plan) {
    GpuArray result = make_result(gpu, src, integral.padded);
    const IntegralJob job{gpu,
                          src,
                          integral.padded,
                          plan,
                          shape_of(src.width(), src.height(), src.channels(), integral.padded),
                          result.words};
    if (integral.variant == IntegralVariant::rows_columns) {
        run_rows_columns(job, 0);
    } else {
        IntegralCarry carry;
        run_bands(job, carry);
    }
    return result;
}

std::vector<std::byte> run_integral_part(Context& gpu, const GpuImage& src, const Integral& integral,
                                         const IntegralPlan& plan, IntegralCarry& carry) {
    const bool is_first = !carry.words.has_value();
    const bool by_rows = integral.variant == IntegralVariant::rows_columns;
    const ResultShape shape = shape_of(src.width(), src.height(), src.channels(), integral.padded);
    const std::size_t row_bytes = shape.row_words() * word_bytes;
    const int pad = integral.padded ? 1 : 0;
    // Rows of the result are counted as if the part were all, with the padding row above it. Below the first
    // part that one is not there, but for rows_columns the last row of the part above stands in its place.
    const int first_row = is_first ? 0 : pad;
    const int origin = by_rows && !is_first ? first_row - 1 : first_row;
    const auto rows = static_cast<std::size_t>(src.height() + pad - origin);
    Buffer sums = gpu.make_buffer(rows * row_bytes, "integral");
    const IntegralJob job{gpu, src, integral.padded, plan, {static_cast<std::size_t>(src.height() + pad), shape.columns, shape.channels}, sums, origin};
    const auto kept = static_cast<std::size_t>(first_row - origin) * row_bytes;
    if (!by_rows) {
        run_bands(job, carry);
    } else {
        if (!is_first) {
            sums.write(carry.words->read<std::byte>(kept));
        }
        run_rows_columns(job, first_row);
    }
    std::vector<std::byte> result = sums.read<std::byte>(rows * row_bytes);
    gpu.finish();
    if (by_rows) {
        carry.words.emplace(gpu.make_buffer(row_bytes, "integral.above"));
        carry.words->write(std::span(result).last(row_bytes));
    }
    result.erase(result.begin(), result.begin() + static_cast<std::ptrdiff_t>(kept));
    return result;
}

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
            .grain = {pixels, plan.band()},
            .texel_pixels = pixels,
            .pixel_bytes = 16.0 / pixels + double(word_bytes) * form.channels + 16.0 / plan.band(),
            .pixel_work = 4};
}

/// Whether the GPU can take rows of this form: a band of them must fit a storage block.
bool fits_rows(Context& gpu, const Integral& integral, const Form& form, const IntegralPlan& plan) {
    const std::size_t row_words = shape_of(form.width, 1, form.channels, integral.padded).row_words();
    const double band_bytes = static_cast<double>(row_words) * word_bytes * (plan.band() + 1);
    return texels_per_row(form) <= gpu.limits().texture_size &&
           band_bytes + 256.0 < static_cast<double>(plan.block_bytes);
}

TileGrid grid_of(const Integral& integral, Context& gpu, const Form& form) {
    check(integral, form);
    return plan_grid(gpu, form, needs_of(form, plan_integral(gpu)));
}

} // namespace

void Integral::operator()(Context& gpu, const RowSource& from, RowWriter& to,
                          const TileProgress& progress) const {
    const IntegralPlan plan = plan_integral(gpu);
    const TileGrid grid = grid_of(*this, gpu, from.form);
    const Integral integral = with_variant(gpu, *this);
    if (integral.variant == IntegralVariant::cpu || grid.is_cut_x(from.form) ||
        !fits_rows(gpu, integral, from.form, plan)) {
        SumsOfBands sums(from.form, padded);
        return visit_bands(from, grid.size.y, [&](const Image& band) { to.write(sums.add(band)); }, progress);
    }
    IntegralCarry carry;
    visit_bands(
        from, grid.size.y,
        [&](const Image& band) {
            to.write(run_integral_part(gpu, gpu.upload(band, "band"), integral, plan, carry));
        },
        progress);
}

namespace {

Workload integral_workload(const Integral& op, Context& gpu, const ImageInput& input) {
    Integral right = op;
    right.variant = IntegralVariant::cpu;
    return array_workload(
        gpu, input.pixels.bytes().size(), [=, &gpu] { return compute(op, gpu, input.image, &input.pixels); },
        [=, &gpu] { return gpu.download(compute(right, gpu, input.image, &input.pixels)); });
}

} // namespace

const OpInfo& integral_info() {
    static const OpInfo info =
        Describe<Integral>("integral", "integral image: at each pixel the sum of all above and to the left",
                           "in.png out.npy --padded")
            .toggle("padded", &Integral::padded, true,
                    {.help = "a row of zeros on top and a column of zeros at the left, as OpenCV has"})
            .toggle("wrap", &Integral::wrap, true,
                    {.help =
                         "sums beyond 2^32 - 1 wrap modulo 2^32; without it images that could have them are "
                         "refused"})
            .field("variant", &Integral::variant,
                   {.value = "V", .help = "how it is computed; integer sums are the same, floats nearly"})
            .bench<ImageInput>(
                "variant", &Integral::variant,
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
