#include "glproc/ops/integral_parts.hpp"

#include <algorithm>
#include <string>
#include <utility>

namespace glproc {

namespace {

constexpr int unit_lanes = 16; // of glsl/lib/integral.glsl

std::string text(int value) {
    return std::to_string(value);
}

std::uint32_t whole(std::size_t value) {
    return static_cast<std::uint32_t>(value);
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
        const std::size_t from =
            static_cast<std::size_t>(first_row - origin) * shape.row_words() * word_bytes;
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
        job.sum_columns(words, {{0, words.bytes()}, 0}, count + 1, job.band_words(), segments);
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

} // namespace

GpuArray make_integral(Context& gpu, const GpuImage& src, bool padded) {
    const ResultShape shape = shape_of(src.width(), src.height(), src.channels(), padded);
    return {type_of(src.depth()), shape.dimensions(),
            gpu.make_buffer(shape.rows * shape.row_words() * word_bytes, "integral")};
}

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
    GpuArray result = make_integral(gpu, src, integral.padded);
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
    const IntegralJob job{gpu,
                          src,
                          integral.padded,
                          plan,
                          {static_cast<std::size_t>(src.height() + pad), shape.columns, shape.channels},
                          sums,
                          origin};
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

} // namespace glproc
