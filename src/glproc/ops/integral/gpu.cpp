#include "glproc/base/covering.hpp"
#include "glproc/ops/integral/parts.hpp"

#include <algorithm>
#include <string>
#include <utility>

namespace glproc {

namespace {

constexpr int unit_lanes = 16;   // of glsl/lib/integral.glsl
constexpr int bands_texels = 32; // TEXELS of glsl/integral/bands.comp

std::uint32_t whole(std::size_t value) {
    return static_cast<std::uint32_t>(value);
}

/// Lanes in a row of images.
std::size_t lanes_of(const Form& form) {
    return static_cast<std::size_t>(texels_per_row(form)) * pixels_per_texel(form) *
           stored_channels(form.channels);
}

std::size_t strips_of(const Form& form, int strip) {
    const auto width = static_cast<std::size_t>(strip);
    return covering(lanes_of(form), width);
}

/// Part of a buffer that begins where a range may.
struct Slice {
    BufferRange range;
    std::uint32_t shift = 0; ///< words in the range before the ones asked for
};

/// One call on the GPU.
struct IntegralJob {
    Context& gpu;
    const GpuImage& src;
    bool padded;
    const IntegralPlan& plan;
    ResultShape shape;
    Buffer& sums;
    /// The row of the result that the buffer begins with: 0, except for parts below the first.
    int origin = 0;

    int pad() const { return padded ? 1 : 0; }
    int rows() const { return static_cast<int>(shape.rows); }
    std::size_t alignment() const {
        return static_cast<std::size_t>(std::max<std::int64_t>(gpu.limits().storage_alignment, 16));
    }
    /// Units of 16 lanes in a row of the image.
    int units() const { return static_cast<int>(covering(lanes_of(src.form()), std::size_t{unit_lanes})); }
    std::size_t strips() const { return strips_of(src.form(), plan.strip); }
    bool is_float() const { return src.depth() == Depth::f32; }
    std::size_t band_words() const { return static_cast<std::size_t>(units()) * unit_lanes; }

    /// How many rows of this many words fit in a block, wherever they begin.
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

    Defines float_define() const { return {{"FLOAT", text(is_float() ? 1 : 0)}}; }

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
        gpu.pass("integral.columns", "integral/columns.comp", defines)
            .updates("b_words", words, from.range)
            .set("u_shift", from.shift)
            .set("u_rows", static_cast<std::uint32_t>(rows))
            .set("u_row_words", whole(row_words))
            .groups_1d(static_cast<std::int64_t>(covering(row_words, group_columns)));
    }
};

/// `first_row`: of the result, the first that is not there yet. The one above it, if there is any, is.
void run_rows_columns(const IntegralJob& job, int first_row) {
    // One row more: the columns go on from the last row of the part before.
    const int part = std::max(job.rows_in_block(job.shape.row_words()) - 1, 1);
    for (int first = first_row; first < job.rows(); first += part) {
        const int end = std::min(first + part, job.rows());
        job.pass("integral.rows", "integral/rows.comp",
                 {{"GROUP", text(job.plan.rows_group)}, {"SUBGROUP", job.plan.subgroup == 1 ? "1" : "0"}},
                 first, end)
            .set("u_units", job.units())
            .groups_1d(end - first);
        const int above = std::max(first - 1, job.origin);
        job.sum_columns(job.sums, job.slice(above, end), end - above, job.shape.row_words(), 1);
    }
}

/// How many bands fit in a block with all that belongs to them.
int bands_in_block(const IntegralJob& job) {
    const int band = job.plan.band;
    const std::size_t strip_words =
        (job.strips() + 1) * static_cast<std::size_t>(job.src.stored_channels() * (band + 1));
    return std::min({(job.rows_in_block(job.shape.row_words()) - job.pad()) / band,
                     job.rows_in_block(job.band_words()) - 1, job.rows_in_block(strip_words) - 1});
}

/// The buffers of bands, one part of them after the other.
class Bands {
  public:
    Bands(const IntegralJob& job, IntegralCarry& carry)
        : job_(job), band_(job.plan.band), strips_(job.strips()),
          channels_(static_cast<std::size_t>(job.src.stored_channels())),
          bands_(covering(job.src.height(), band_)),
          part_(std::clamp(bands_in_block(job), 1, std::min(bands_, 65534))), // the grid has this many groups
          words_(band_buffer(part_ + 1)),
          left_(buffer((strips_ + 1) * left_values(part_) * channels_, "integral.left")),
          corners_(corner_buffer()), carry_(carry) {
        if (!carry.words) {
            carry = {band_buffer(part_ < bands_ ? part_ + 1 : 1), -1, corner_buffer()};
            if (job.is_float()) {
                carry.corners->fill(0);
            }
        }
    }

    void run() {
        for (int first = 0; first < bands_; first += part_) {
            run_part(first, std::min(part_, bands_ - first));
        }
    }

  private:
    Buffer buffer(std::size_t words, std::string_view label) const {
        return job_.gpu.make_buffer(words * word_bytes, label);
    }
    Buffer band_buffer(int rows) const {
        return buffer(static_cast<std::size_t>(rows) * job_.band_words(), "integral.bands");
    }
    Buffer corner_buffer() const { return buffer(strips_ * channels_, "integral.corners"); }
    /// Words of a row of b_left, by channel.
    std::size_t left_values(int bands) const {
        return static_cast<std::size_t>(bands) * (static_cast<std::size_t>(band_) + 1) + 1;
    }

    void run_part(int first, int count) {
        const int first_row = first == 0 ? job_.origin : first * band_ + job_.pad();
        const int end_row = std::min((first + count) * band_ + job_.pad(), job_.rows());
        const auto pass = [&](std::string_view label, std::string_view kernel, Defines defines) {
            defines["STRIP"] = text(job_.plan.strip);
            Pass result = job_.pass(label, kernel, defines, first_row, end_row);
            result.set("u_band", band_)
                .set("u_strips", whole(strips_))
                .set("u_left_values", whole(left_values(count)))
                .set("u_first_band", first)
                .set("u_band_words", whole(job_.band_words()));
            return result;
        };
        pass("integral.bands", "integral/bands.comp", {})
            .reads("b_before", *carry_.words)
            .writes("b_words", words_)
            .writes("b_left", left_)
            .set("u_before_row", carry_.row)
            .groups(covering(job_.src.texture().width(), bands_texels), count + 1);
        // Floats are added in the order of the bands, so that a sum is the same whatever the parts.
        job_.sum_columns(words_, {{0, words_.bytes()}, 0}, count + 1, job_.band_words(),
                         job_.is_float() ? 1 : job_.plan.column_segments);
        job_.sum_columns(left_, {{0, left_.bytes()}, 0}, static_cast<int>(strips_) + 1,
                         left_values(count) * channels_, job_.plan.column_segments);
        const Slice rows = job_.slice(first_row, end_row);
        const bool in_quads = job_.shape.channels == channels_ &&
                              (rows.shift | job_.shape.row_words() | job_.pad() * channels_) % 4 == 0;
        pass("integral.walk", "integral/walk.comp",
             {{"SUBGROUP", text(job_.plan.subgroup)}, {"IN_QUADS", text(in_quads ? 1 : 0)}})
            .reads("b_words", words_)
            .reads("b_left", left_)
            .reads("b_corners", *carry_.corners)
            .writes("b_corners_below", corners_)
            .writes("b_sum_quads", job_.sums, rows.range)
            .over(static_cast<std::int64_t>(strips_) * job_.plan.strip / 4, count);
        pass_on(count);
    }

    /// The sums below these bands become the sums above the next.
    void pass_on(int count) {
        carry_.row = count;
        std::swap(words_, *carry_.words);
        std::swap(corners_, *carry_.corners);
        if (words_.bytes() < carry_.words->bytes()) { // it belonged to a smaller part
            words_ = band_buffer(part_ + 1);
        }
    }

    const IntegralJob& job_;
    int band_; ///< rows
    std::size_t strips_;
    std::size_t channels_; ///< as stored
    int bands_;
    int part_; ///< bands at a time
    Buffer words_;
    Buffer left_;
    Buffer corners_;
    IntegralCarry& carry_;
};

} // namespace

IntegralPlan plan_integral(Context& gpu, const Form& form) {
    IntegralPlan plan{.block_bytes = static_cast<std::size_t>(gpu.limits().storage_block_bytes)};
    // On other devices a group's subgroups may be of another size than the limit says, or of several sizes.
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
    const std::size_t strips = strips_of(form, plan.strip);
    for (plan.band = 32; plan.band > 8; plan.band /= 2) {
        if (strips * static_cast<std::size_t>(form.height / plan.band) >= enough) {
            break;
        }
    }
    return plan;
}

RowsMade SumsOnGpu::next(Context& gpu, const GpuImage& src) {
    const bool is_first = !carry_.words.has_value();
    const bool by_rows = integral_.variant == IntegralVariant::rows_columns;
    const ResultShape shape = shape_of(src.width(), src.height(), src.channels(), integral_.padded);
    const std::size_t row_bytes = shape.row_words() * word_bytes;
    const int pad = integral_.padded ? 1 : 0;
    // Rows of the result are counted as if the band were all, with the padding row above it. Below the first band that one is
    // not there, but for rows_columns the last row of the band above stands in its place.
    const int first_row = is_first ? 0 : pad;
    const int origin = by_rows && !is_first ? first_row - 1 : first_row;
    const ResultShape made{shape.rows - static_cast<std::size_t>(origin), shape.columns, shape.channels};
    Buffer sums = gpu.make_buffer(made.rows * row_bytes, "integral");
    const IntegralJob job{gpu, src, integral_.padded, plan_, shape, sums, origin};
    if (!by_rows) {
        Bands(job, carry_).run();
    } else {
        if (!is_first) {
            sums.copy_from(*carry_.words, 0, 0, row_bytes);
        }
        run_rows_columns(job, first_row);
        carry_.words.emplace(gpu.make_buffer(row_bytes, "integral.above"));
        carry_.words->copy_from(sums, (made.rows - 1) * row_bytes, 0, row_bytes);
    }
    if (origin == first_row) {
        return GpuArray{type_of(src.depth()), made.dimensions(), std::move(sums)};
    }
    std::vector<std::byte> rows = sums.read<std::byte>(made.rows * row_bytes);
    rows.erase(rows.begin(), rows.begin() + static_cast<std::ptrdiff_t>(row_bytes)); // the band above has it
    return rows;
}

} // namespace glproc
