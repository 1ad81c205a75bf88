#include "glproc/ops/integral.hpp"

#include "glproc/gl/tuning.hpp"
#include "glproc/ops/describe.hpp"
#include "glproc/ops/workload.hpp"

#include <algorithm>

namespace glproc {

namespace {

constexpr std::size_t word_bytes = sizeof(std::uint32_t);
constexpr int unit_lanes = 16; // of glsl/integral_rows.comp

std::string text(int value) {
    return std::to_string(value);
}

std::uint32_t whole(std::size_t value) {
    return static_cast<std::uint32_t>(value);
}

constexpr int bands_texels = 32; // TEXELS of glsl/integral_bands.comp

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

void check(const Integral& integral, const GpuImage& src) {
    constexpr double most = 4294967295.0;
    const double largest_sum = double(src.width()) * src.height() * max_code(src.depth());
    if (src.depth() != Depth::f32 && !integral.wrap && largest_sum > most) {
        throw Error(ErrorCode::usage,
                    fmt::format("the sums of a {}x{} image of {} bits can exceed 2^32 - 1", src.width(),
                                src.height(), static_cast<int>(src.depth())),
                    "--wrap keeps them modulo 2^32");
    }
}

/// `Sum` is what sums are kept in, T a channel value, Out what is stored.
template <class Sum, class T, class Out>
std::vector<Out> sum_up(const Image& image, bool padded) {
    const ResultShape shape = shape_of(image.width(), image.height(), image.channels(), padded);
    std::vector<Out> result(shape.rows * shape.row_words());
    std::vector<Sum> above(image.row_bytes() / sizeof(T));
    const T* value = image.values<T>().data();
    const std::size_t pad = padded ? 1 : 0;
    for (std::size_t y = pad; y < shape.rows; ++y) {
        Out* out = result.data() + y * shape.row_words() + pad * shape.channels;
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

GpuArray make_result(Context& gpu, const GpuImage& src, bool padded) {
    const ResultShape shape = shape_of(src.width(), src.height(), src.channels(), padded);
    return {type_of(src.depth()), shape.dimensions(),
            gpu.make_buffer(shape.rows * shape.row_words() * word_bytes, "integral")};
}

GpuArray run_cpu(Context& gpu, const GpuImage& src, const Image& pixels, bool padded) {
    GpuArray result = make_result(gpu, src, padded);
    switch (src.depth()) {
    case Depth::u8:
        result.words.write(sum_up<std::uint32_t, std::uint8_t, std::uint32_t>(pixels, padded));
        break;
    case Depth::u16:
        result.words.write(sum_up<std::uint32_t, std::uint16_t, std::uint32_t>(pixels, padded));
        break;
    case Depth::f32:
        result.words.write(sum_up<double, float, float>(pixels, padded));
        break;
    }
    return result;
}

/// Lanes in a row of the image.
std::size_t lanes_of(const GpuImage& src) {
    return static_cast<std::size_t>(src.texture().width()) * pixels_per_texel(src.form()) *
           src.stored_channels();
}

std::size_t strips_of(const GpuImage& src, int strip) {
    const auto width = static_cast<std::size_t>(strip);
    return (lanes_of(src) + width - 1) / width;
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

    int pad() const { return padded ? 1 : 0; }
    int rows() const { return static_cast<int>(shape.rows); }
    std::size_t alignment() const {
        return static_cast<std::size_t>(std::max<std::int64_t>(gpu.limits().storage_alignment, 16));
    }
    /// Units of 16 lanes in a row of the image.
    int units() const { return static_cast<int>((lanes_of(src) + unit_lanes - 1) / unit_lanes); }
    std::size_t strips() const { return strips_of(src, plan.strip); }
    std::size_t band_words() const { return static_cast<std::size_t>(units()) * unit_lanes; }

    /// How many rows of so many words fit in a block, wherever they begin.
    int rows_in_block(std::size_t row_words) const {
        const std::size_t room = plan.block_bytes - std::min(plan.block_bytes, alignment());
        return static_cast<int>(std::min<std::size_t>(room / (row_words * word_bytes), 1U << 30U));
    }

    Slice slice(int first_row, int end_row) const {
        const std::size_t from = static_cast<std::size_t>(first_row) * shape.row_words() * word_bytes;
        const std::size_t to = static_cast<std::size_t>(end_row) * shape.row_words() * word_bytes;
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

void run_rows_columns(const IntegralJob& job) {
    // One row more: the columns go on from the last row of the part before.
    const int part = std::max(job.rows_in_block(job.shape.row_words()) - 1, 1);
    for (int first = 0; first < job.rows(); first += part) {
        const int end = std::min(first + part, job.rows());
        job.pass("integral.rows", "integral_rows.comp",
                 {{"GROUP", text(job.plan.rows_group)}, {"SUBGROUP", job.plan.subgroup == 1 ? "1" : "0"}},
                 first, end)
            .set("u_units", job.units())
            .groups_1d(end - first);
        const int above = std::max(first - 1, 0);
        job.sum_columns(job.sums, job.slice(above, end), end - above, job.shape.row_words(), 1);
    }
}

void run_bands(const IntegralJob& job) {
    const int band = job.plan.band;
    const int bands = (job.src.height() + band - 1) / band;
    const std::size_t strips = job.strips();
    const auto channels = static_cast<std::size_t>(job.src.stored_channels());
    // Of a band: its rows, and one of sums.
    const int fit =
        std::min({(job.rows_in_block(job.shape.row_words()) - job.pad()) / band,
                  job.rows_in_block(job.band_words()) - 1,
                  job.rows_in_block((strips + 1) * channels * (static_cast<std::size_t>(band) + 1)) - 1});
    const int part = std::clamp(fit, 1, std::min(bands, 65534)); // so many groups the grid has
    const auto band_buffer = [&](int rows) {
        return job.gpu.make_buffer(static_cast<std::size_t>(rows) * job.band_words() * word_bytes,
                                   "integral.bands");
    };
    Buffer words = band_buffer(part + 1);
    Buffer before = band_buffer(part < bands ? part + 1 : 1);
    const auto left_values = [&](int count) { return static_cast<std::size_t>(count) * (band + 1) + 1; };
    Buffer left =
        job.gpu.make_buffer((strips + 1) * left_values(part) * channels * word_bytes, "integral.left");
    for (int first = 0; first < bands; first += part) {
        const int count = std::min(part, bands - first);
        const int first_row = first == 0 ? 0 : first * band + job.pad();
        const int end_row = std::min((first + count) * band + job.pad(), job.rows());
        const auto pass = [&](std::string_view label, std::string_view kernel, Defines defines) {
            defines["STRIP"] = text(job.plan.strip);
            Pass result = job.pass(label, kernel, defines, first_row, end_row);
            result.set("u_band", band)
                .set("u_strips", whole(strips))
                .set("u_left_values", whole(left_values(count)))
                .set("u_first_band", first)
                .set("u_band_words", whole(job.band_words()));
            return result;
        };
        pass("integral.bands", "integral_bands.comp", {})
            .reads("b_before", before)
            .writes("b_words", words)
            .writes("b_left", left)
            .set("u_before_row", first == 0 ? -1 : part)
            .groups((job.src.texture().width() + bands_texels - 1) / bands_texels, count + 1);
        job.sum_columns(words, {{0, words.bytes()}, 0}, count + 1, job.band_words(),
                        job.plan.column_segments);
        job.sum_columns(left, {{0, left.bytes()}, 0}, static_cast<int>(strips) + 1,
                        left_values(count) * channels, job.plan.column_segments);
        const bool in_quads =
            job.shape.channels == channels &&
            (job.slice(first_row, end_row).shift | job.shape.row_words() | job.pad() * channels) % 4 == 0;
        pass("integral.walk", "integral_walk.comp",
             {{"SUBGROUP", text(job.plan.subgroup)}, {"IN_QUADS", in_quads ? "1" : "0"}})
            .reads("b_words", words)
            .reads("b_left", left)
            .writes("b_sum_quads", job.sums, job.slice(first_row, end_row).range)
            .over(static_cast<std::int64_t>(strips) * job.plan.strip / 4, count);
        std::swap(words, before);
    }
}

/// `pixels`: the image in CPU memory where it lies there already.
GpuArray compute(const Integral& asked, Context& gpu, const GpuImage& src, const Image* pixels) {
    check(asked, src);
    Integral integral = asked;
    if (integral.variant == IntegralVariant::automatic) {
        integral.variant =
            FieldText<IntegralVariant>::parse({"variant", "", {}}, tuned_variant(gpu.device(), "integral"));
    }
    if (integral.variant == IntegralVariant::cpu) {
        return run_cpu(gpu, src, pixels != nullptr ? *pixels : gpu.download(src), integral.padded);
    }
    return run_integral(gpu, src, integral, plan_integral(gpu, src));
}

} // namespace

IntegralPlan plan_integral(Context& gpu, const GpuImage& src) {
    IntegralPlan plan{.block_bytes = static_cast<std::size_t>(gpu.limits().storage_block_bytes)};
    // Elsewhere a group's subgroups may be of another size than the limit says, or of several.
    if (gpu.device().has_subgroup && gpu.limits().subgroup_size == 32 && gpu.device().is("nvidia")) {
        plan.strip = 128;
        plan.subgroup = 1;
    }
    if (gpu.device().software) { // few invocations, so that barriers are cheap
        plan.rows_group = 8;
        plan.column_segments = 4;
    }
    // The larger, the less has to be summed up beforehand, as long as the device is full.
    constexpr std::size_t enough = 4096; // subgroups
    const std::size_t strips = strips_of(src, plan.strip);
    for (plan.band = 32; plan.band > 8; plan.band /= 2) {
        if (strips * static_cast<std::size_t>(src.height() / plan.band) >= enough) {
            break;
        }
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
        run_rows_columns(job);
    } else {
        run_bands(job);
    }
    return result;
}

GpuArray Integral::operator()(Context& gpu, const GpuImage& src) const {
    return compute(*this, gpu, src, nullptr);
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
            .runs(Product::array, [](const Integral& op, Context& gpu, const ImageInput& input) -> OpOutput {
                return compute(op, gpu, input.image, &input.pixels);
            });
    return info;
}

} // namespace glproc
