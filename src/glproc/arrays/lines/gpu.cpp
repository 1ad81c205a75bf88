#include "glproc/arrays/lines/lines.hpp"
#include "glproc/base/covering.hpp"

#include "glproc/arrays/volume_pass.hpp"
#include "glproc/base/copy.hpp"
#include "glproc/gl/context_state.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <memory>
#include <utility>

namespace glproc {

namespace {

/// How many values lie in a word of 32 bits.
int per_word(Number type) {
    return std::max(4 / static_cast<int>(bytes_of(type)), 1);
}

/// Values that one invocation works on side by side, so that no two write one word.
int columns_of(const LineJob& job) {
    return std::max(per_word(job.source.type), per_word(job.result));
}

/// Rows along the last axis begin at multiples of columns_of().
struct RowLayout {
    std::int64_t row;  ///< values
    std::int64_t rows; ///< of the last axis
    std::int64_t pitch;

    explicit RowLayout(const LineJob& job) : row(job.source.shape.back()), rows(job.source.count() / row) {
        const int columns = columns_of(job);
        pitch = covering(row, columns) * columns;
    }
    std::size_t bytes(Number type) const { return static_cast<std::size_t>(rows * pitch) * bytes_of(type); }
};

const char* do_of(const LinePass& pass) {
    if (pass.what != LinePass::Do::sum) {
        return pass.what == LinePass::Do::minimum ? "MINIMUM" : "MAXIMUM";
    }
    const Symmetry symmetry = symmetry_of(pass.weights);
    return symmetry == Symmetry::even ? "EVEN" : symmetry == Symmetry::odd ? "ODD" : "SUM";
}

struct Types {
    Number source;
    Number result;
};

/// Lines along an axis in memory, in values. See lib/line.glsl.
struct Strides {
    bool along; ///< the last axis
    std::int64_t length;
    std::int64_t step;
    std::int64_t block;
    std::int64_t blocks;

    Strides(const LineJob& job, int axis, const RowLayout& layout)
        : along(static_cast<std::size_t>(axis) + 1 == job.source.shape.size()),
          length(job.source.shape[static_cast<std::size_t>(axis)]), step(along ? 1 : layout.pitch) {
        for (std::size_t i = static_cast<std::size_t>(axis) + 1; i + 1 < job.source.shape.size(); ++i) {
            step *= job.source.shape[i];
        }
        block = along ? layout.pitch : length * step;
        blocks = layout.rows * layout.pitch / block;
    }
};

void set_lines(Pass& dispatch, const LinePass& pass, const Strides& strides) {
    const auto bits = std::bit_cast<std::uint64_t>(pass.constant);
    const auto half = static_cast<int>(pass.size / 2);
    dispatch.set("u_length", static_cast<int>(strides.length))
        .set("u_step", static_cast<int>(strides.step))
        .set("u_block", static_cast<int>(strides.block))
        .set("u_border", static_cast<int>(pass.border))
        .set("u_constant",
             Uint4{static_cast<std::uint32_t>(bits), static_cast<std::uint32_t>(bits >> 32U), 0, 0})
        .set("u_reach", Int2{half, static_cast<int>(pass.size) - half - 1})
        .set("u_origin", static_cast<int>(pass.origin));
}

/// Whether sums of doubles are exact whatever their order: no window of integers of 32 bits comes near 2^53.
bool has_exact_sums(const LinePass& pass, Number source) {
    const bool is_whole = source != Number::f32 && bytes_of(source) <= 4;
    const double constant = pass.border == BorderMode::constant ? pass.constant : 0;
    return is_whole && std::trunc(constant) == constant && std::abs(constant) < 0x1p32;
}

void run_means(Context& gpu, const LinePass& pass, const Types& types, const Strides& strides,
               const Buffer& from, Buffer& to) {
    constexpr std::int64_t lines_of_group = 8;
    constexpr std::int64_t least_segment = 1024; // of a few parts
    const std::int64_t segment = has_exact_sums(pass, types.source)
                                     ? std::min(strides.length, std::max(least_segment, 4 * pass.size))
                                     : strides.length;
    const std::int64_t segments = covering(strides.length, segment);
    const std::int64_t side_by_side = strides.along ? strides.blocks : strides.step;
    const std::int64_t tiles = covering(side_by_side, lines_of_group) * (strides.along ? 1 : strides.blocks);
    Pass dispatch = gpu.pass("line.means", "arrays/lines/means.comp",
                             {{"SRC", glsl_name(types.source)},
                              {"DST", glsl_name(types.result)},
                              {"ALONG", strides.along ? "1" : "0"}});
    set_lines(dispatch, pass, strides);
    dispatch.reads("b_src", from)
        .writes("b_dst", to)
        .set("u_segment", static_cast<int>(segment))
        .set("u_blocks", static_cast<int>(strides.blocks))
        .groups_1d(segments * tiles);
}

void run_taps(Context& gpu, const LinePass& pass, const Types& types, const Strides& strides,
              const Buffer& from, Buffer& to) {
    const int columns = strides.along ? 1 : std::max(per_word(types.source), per_word(types.result));
    const std::int64_t strip = 8 / columns;
    const std::int64_t units = strides.blocks * (strides.step / columns) * covering(strides.length, strip);
    Buffer weights =
        gpu.make_buffer(std::max<std::size_t>(pass.weights.size(), 1) * sizeof(double), "weights");
    if (!pass.weights.empty()) {
        weights.write(pass.weights);
    }
    Pass dispatch = gpu.pass("line.taps", "arrays/lines/taps.comp",
                             {{"SRC", glsl_name(types.source)},
                              {"DST", glsl_name(types.result)},
                              {"ALONG", strides.along ? "1" : "0"},
                              {"DO", do_of(pass)}});
    set_lines(dispatch, pass, strides);
    dispatch.reads("b_src", from)
        .reads("b_weights", weights)
        .writes("b_dst", to)
        .set("u_units", static_cast<int>(units))
        .over_1d(units);
}

void run_pass(Context& gpu, const LineJob& job, const LinePass& pass, const Types& types, const Buffer& from,
              Buffer& to) {
    const Strides strides(job, pass.axis, RowLayout(job));
    if (pass.what == LinePass::Do::mean) {
        run_means(gpu, pass, types, strides, from, to);
    } else {
        run_taps(gpu, pass, types, strides, from, to);
    }
}

/// Several threads copy into memory that stays mapped where there is such: the driver's own commands take
/// 3 GB/s (NVIDIA H100, driver 580.159.04).
void upload(Context& gpu, const RowLayout& layout, std::span<const std::byte> source, Buffer& to) {
    Transfer& transfer = *gpu.state().transfer;
    if (layout.pitch == layout.row || layout.rows == 1) {
        return transfer.upload(source, to);
    }
    const std::size_t row = source.size() / static_cast<std::size_t>(layout.rows);
    const std::size_t pitch = to.bytes() / static_cast<std::size_t>(layout.rows);
    const auto apart = std::make_unique_for_overwrite<std::byte[]>(to.bytes());
    copy_rows(source.data(), static_cast<std::ptrdiff_t>(row), apart.get(),
              static_cast<std::ptrdiff_t>(pitch), row, static_cast<int>(layout.rows));
    transfer.upload({apart.get(), to.bytes()}, to);
}

void download(Context& gpu, const RowLayout& layout, const Buffer& from, std::span<std::byte> result) {
    Transfer& transfer = *gpu.state().transfer;
    if (layout.pitch == layout.row || layout.rows == 1) {
        return transfer.download(from, result);
    }
    const std::size_t row = result.size() / static_cast<std::size_t>(layout.rows);
    const std::size_t pitch = from.bytes() / static_cast<std::size_t>(layout.rows);
    const auto apart = std::make_unique_for_overwrite<std::byte[]>(from.bytes());
    transfer.download(from, {apart.get(), from.bytes()});
    copy_rows(apart.get(), static_cast<std::ptrdiff_t>(pitch), result.data(),
              static_cast<std::ptrdiff_t>(row), row, static_cast<int>(layout.rows));
}

/// A job of one pass, by the programs of another job, on about a thousand values.
LineJob probe_of(LinePass pass, bool along, Number type, Number result) {
    pass.axis = 1;
    VolumeForm form{type, {5, 19, 13}};
    if (along) {
        form.shape = {23, 53};
    }
    if (pass.what == LinePass::Do::mean) { // long enough for a part of the kernel that is not at an end
        form.shape = along ? std::vector<std::int64_t>{16, 128} : std::vector<std::int64_t>{1, 128, 16};
        pass.size = std::min<std::int64_t>(pass.size, 7);
        pass.origin = 0;
    }
    return {form, result, {pass}};
}

} // namespace

Symmetry symmetry_of(std::span<const double> weights) {
    constexpr double epsilon = std::numeric_limits<double>::epsilon();
    if (weights.size() % 2 == 0) {
        return Symmetry::none;
    }
    bool even = true;
    bool odd = true;
    for (std::size_t i = 0; i < weights.size() / 2; ++i) {
        const double other = weights[weights.size() - 1 - i];
        even =
            even && !(std::abs(other - weights[i]) > epsilon); // as in SciPy, to which a NaN is no difference
        odd = odd && !(std::abs(other + weights[i]) > epsilon);
    }
    return even ? Symmetry::even : odd ? Symmetry::odd : Symmetry::none;
}

double LineJob::work() const {
    double sizes = 0;
    for (const LinePass& pass : passes) {
        sizes += pass.what == LinePass::Do::sum ? static_cast<double>(pass.size) : 4;
    }
    return sizes * static_cast<double>(source.count());
}

bool LineJob::fits_at_once(const Context& gpu) const {
    // Mesa's software renderers leave a loop after 65535 rounds, and one invocation that takes so long is of
    // no use elsewhere.
    constexpr std::int64_t most_rounds = 65535;
    for (const LinePass& pass : passes) {
        const bool goes_along = pass.what == LinePass::Do::mean;
        const std::int64_t length = source.shape[static_cast<std::size_t>(pass.axis)];
        if (pass.size > most_rounds || (goes_along && length > most_rounds)) {
            return false;
        }
    }
    const RowLayout layout(*this);
    const auto most = static_cast<std::size_t>(gpu.limits().storage_block_bytes);
    const std::size_t before = layout.bytes(source.type);
    const std::size_t after = layout.bytes(result);
    const std::size_t all = before + after * (passes.size() > 1 ? 2 : 1);
    return before <= most && after <= most && all <= gpu.memory_bytes() &&
           layout.rows * layout.pitch < (std::int64_t{1} << 30U);
}

/// A running sum depends on its whole line, and what wraps on the other end.
std::optional<std::int64_t> LineJob::rows_around() const {
    std::int64_t around = 0;
    for (const LinePass& pass : passes) {
        if (pass.axis == 0 && (pass.what == LinePass::Do::mean || pass.border == BorderMode::wrap)) {
            return {};
        }
        const std::int64_t before = pass.size / 2 + pass.origin;
        around += pass.axis == 0 ? std::max(before, pass.size - 1 - before) : 0;
    }
    return around;
}

std::vector<Probe<LineJob>> LineJob::probes() const {
    std::vector<Probe<LineJob>> probes;
    Number type = source.type;
    for (const LinePass& pass : passes) {
        const bool along = static_cast<std::size_t>(pass.axis) + 1 == source.shape.size();
        const LineJob probe = probe_of(pass, along, type, result);
        probes.push_back({probe, probe_values(probe.source), {}});
        type = result; // the first pass may be of another type than the rest
    }
    return probes;
}

Found LineJob::run_on_gpu(Context& gpu, SourceBytes from, ResultBytes to) const {
    const RowLayout layout(*this);
    Buffer values = gpu.make_buffer(layout.bytes(source.type), "array");
    upload(gpu, layout, from, values);
    Types types{source.type, result};
    Buffer made = gpu.make_buffer(layout.bytes(result), "array");
    for (std::size_t i = 0; i < passes.size(); ++i) {
        run_pass(gpu, *this, passes[i], types, values, made);
        if (i + 1 == passes.size()) {
            break;
        }
        if (i == 0) {
            values = gpu.make_buffer(layout.bytes(result), "array");
            types.source = result;
        }
        std::swap(values, made);
    }
    download(gpu, layout, made, to);
    return 0;
}

} // namespace glproc
