#include "glproc/arrays/footprints/footprints.hpp"

#include "glproc/arrays/lines/probe.hpp"
#include "glproc/arrays/number_cast.hpp"
#include "glproc/arrays/slabs.hpp"
#include "glproc/arrays/volume_pass.hpp"
#include "glproc/gl/context_state.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <type_traits>

namespace glproc {

namespace {

using Do = FootprintJob::Do;

constexpr std::size_t most_footprint_axes = 4;

/// How far away each neighbour lies in memory, then along each of four axes.
std::vector<std::int32_t> entries_of(const FootprintJob& job) {
    const std::size_t axes = job.source.shape.size();
    std::vector<std::int32_t> entries;
    for (std::size_t i = 0; i < job.neighbours(); ++i) {
        std::array<std::int32_t, most_footprint_axes> along{};
        std::int64_t flat = 0;
        for (std::size_t axis = 0; axis < axes; ++axis) {
            const std::int64_t offset = job.offsets[i * axes + axis];
            flat = flat * job.source.shape[axis] + offset;
            along[axis] = static_cast<std::int32_t>(offset);
        }
        entries.push_back(static_cast<std::int32_t>(flat));
        entries.insert(entries.end(), along.begin(), along.end());
    }
    return entries;
}

/// How far neighbours reach before (-1) or after (1) a value.
Uint4 reach_of(const FootprintJob& job, std::int64_t sign) {
    const std::size_t axes = job.source.shape.size();
    Uint4 reach{};
    for (std::size_t i = 0; i < job.offsets.size(); ++i) {
        const std::int64_t far = std::max<std::int64_t>(sign * job.offsets[i], 0);
        reach[i % axes] = std::max(reach[i % axes], static_cast<std::uint32_t>(far));
    }
    return reach;
}

double constant_of(const FootprintJob& job) {
    if (job.what == Do::sum) {
        return job.constant;
    }
    return with_type(job.source.type, [&](auto type) {
        return static_cast<double>(number_cast<decltype(type)>(job.constant));
    });
}

/// Whether one reflection finds every neighbour, or one turn around.
bool is_near(const FootprintJob& job) {
    const Uint4 length = sizes_of(job.source);
    const Uint4 before = reach_of(job, -1);
    const Uint4 after = reach_of(job, 1);
    const std::uint32_t gap = job.border == LineBorder::mirror ? 1 : 0;
    bool is_near = true;
    for (std::size_t axis = 0; axis < length.size(); ++axis) {
        is_near = is_near && std::max(before[axis], after[axis]) + gap <= length[axis];
    }
    return is_near || job.border == LineBorder::nearest || job.border == LineBorder::constant;
}

/// How many neighbours are sorted in variables; 0: none.
std::size_t sorted_of(const FootprintJob& job) {
    const std::size_t count = job.neighbours();
    return job.what != Do::rank || count > 27 || !is_near(job) ? 0 : count <= 9 ? 9 : count <= 25 ? 25 : 27;
}

bool wants_middle(const FootprintJob& job) {
    return job.neighbours() == sorted_of(job) && job.rank == job.neighbours() / 2;
}

void run_unproved(Context& gpu, const FootprintJob& job, std::span<const std::byte> source, std::span<std::byte> result) {
    constexpr const char* names[] = {"SUM", "MINIMUM", "MAXIMUM", "RANK"};
    Transfer& transfer = *gpu.state().transfer;
    Buffer from = gpu.make_buffer(padded_bytes(job.source), "array");
    transfer.upload(source, from);
    const std::vector<std::int32_t> entries = entries_of(job);
    Buffer offsets = gpu.make_buffer(entries.size() * sizeof(std::int32_t), "offsets");
    offsets.write(entries);
    Buffer weights = gpu.make_buffer(std::max<std::size_t>(job.weights.size(), 1) * sizeof(double), "weights");
    Buffer to = gpu.make_buffer(padded_bytes({job.result, job.source.shape}), "array");
    const std::int64_t results = job.source.count();
    const std::size_t sorted = sorted_of(job);
    Pass pass = gpu.pass("footprint.values", "arrays/footprints/values.comp",
                         {{"SRC", glsl_name(job.source.type)},
                          {"DST", glsl_name(job.result)},
                          {"DO", names[static_cast<int>(job.what)]},
                          {"COUNT", std::to_string(sorted)},
                          {"MIDDLE", wants_middle(job) ? "1" : "0"}});
    pass.reads("b_src", from).reads("b_offsets", offsets).writes("b_dst", to);
    pass.set("u_length", sizes_of(job.source))
        .set("u_before", reach_of(job, -1))
        .set("u_after", reach_of(job, 1))
        .set("u_constant", bits_of(constant_of(job), 0))
        .set("u_border", static_cast<int>(job.border))
        .set("u_results", static_cast<int>(results));
    if (job.what == Do::sum) {
        weights.write(job.weights);
        pass.reads("b_weights", weights);
    }
    if (sorted > 0) {
        Ints near(sorted);
        for (std::size_t i = 0; i < job.neighbours(); ++i) {
            near[i] = entries[5 * i];
        }
        pass.set("u_near", std::move(near));
    }
    if (!wants_middle(job)) {
        pass.set("u_neighbours", static_cast<int>(job.neighbours()));
        if (job.what == Do::rank) {
            pass.set("u_rank", static_cast<int>(job.rank));
        }
    }
    const auto per_word = static_cast<std::int64_t>(std::max<std::size_t>(4 / bytes_of(job.result), 1));
    pass.over_1d((results + per_word - 1) / per_word);
    transfer.download(to, result);
}

/// Zeros of one sign: of two zeros either may have a rank.
template <class T>
void join_zeros(std::span<std::byte> bytes) {
    T* const values = reinterpret_cast<T*>(bytes.data());
    std::replace(values, values + bytes.size() / sizeof(T), T{0}, T{0});
}

/// A small array, and as many neighbours as the same program has.
FootprintJob probe_of(const FootprintJob& job, LineBorder border) {
    FootprintJob probe{.source = {job.source.type, {3, 5, 7, 9}},
                       .result = job.result,
                       .what = job.what,
                       .border = border,
                       .constant = 3.5,
                       .offsets = {},
                       .weights = {},
                       .rank = 0};
    const bool finds_by_bits = job.what == Do::rank && sorted_of(job) == 0;
    const std::size_t count = finds_by_bits ? 31 : std::min<std::size_t>(job.neighbours(), 31);
    for (std::size_t i = 0; i < count; ++i) {
        for (const std::int64_t most : {3, 5, 7, 5}) {
            probe.offsets.push_back(static_cast<std::int64_t>(i * 5 + probe.offsets.size() * 3) % most - most / 2);
        }
        probe.weights.push_back(0.37 * static_cast<double>(i) - 3);
    }
    probe.rank = count / (wants_middle(job) ? 2 : 3);
    return probe;
}

bool is_right(Context& gpu, const FootprintJob& job) {
    for (const LineBorder border : {LineBorder::reflect, LineBorder::nearest, LineBorder::mirror, LineBorder::wrap, LineBorder::constant}) {
        const FootprintJob probe = probe_of(job, border);
        std::vector<std::byte> source = probe_values(probe.source);
        if (probe.what == Do::rank && probe.source.type == Number::f32) {
            join_zeros<float>(source);
        } else if (probe.what == Do::rank && probe.source.type == Number::f64) {
            join_zeros<double>(source);
        }
        const auto bytes = static_cast<std::size_t>(probe.source.count()) * bytes_of(probe.result);
        std::vector<std::byte> expected(bytes);
        std::vector<std::byte> got(bytes);
        run_footprint_on_cpu(probe, source, expected);
        run_unproved(gpu, probe, source, got);
        if (!same_numbers(probe.result, expected, got)) {
            return false;
        }
    }
    return true;
}

bool fits_at_once(const Context& gpu, const FootprintJob& job) {
    // Mesa's software renderers leave a loop after 65535 rounds.
    constexpr std::size_t most_neighbours = 65535;
    constexpr std::int64_t most = std::int64_t{1} << 29U;
    if (job.source.shape.size() > most_footprint_axes || job.neighbours() < 1 || job.neighbours() > most_neighbours || job.result == Number::u64 ||
        job.source.count() >= most) {
        return false;
    }
    const bool is_near = std::ranges::all_of(job.offsets, [](std::int64_t offset) { return offset > -most && offset < most; });
    const auto block = static_cast<std::size_t>(gpu.limits().storage_block_bytes);
    const std::size_t source = padded_bytes(job.source);
    const std::size_t result = padded_bytes({job.result, job.source.shape});
    const std::size_t offsets = 5 * job.neighbours() * sizeof(std::int32_t);
    return is_near && source <= block && result <= block && offsets <= block && source + result + offsets <= gpu.memory_bytes();
}

FootprintJob with_rows(const FootprintJob& job, std::int64_t rows) {
    FootprintJob part = job;
    part.source.shape[0] = rows;
    return part;
}

std::int64_t rows_around(const FootprintJob& job) {
    return std::max(reach_of(job, -1)[0], reach_of(job, 1)[0]);
}

/// Of a slab; 0 where it cannot be cut.
std::int64_t rows_at_once(const Context& gpu, const FootprintJob& job) {
    const std::int64_t around = rows_around(job);
    if (around > 0 && job.border == LineBorder::wrap) {
        return 0;
    }
    return slab_rows(job.source.shape[0], around, [&](std::int64_t rows) { return fits_at_once(gpu, with_rows(job, rows)); });
}

} // namespace

bool fits(const Context& gpu, const FootprintJob& job) {
    return fits_at_once(gpu, job) || rows_at_once(gpu, job) > 0;
}

void run_footprint(Context& gpu, const FootprintJob& job, std::span<const std::byte> source, std::span<std::byte> result) {
    if (const std::int64_t rows = fits_at_once(gpu, job) ? 0 : rows_at_once(gpu, job); rows > 0) {
        run_in_slabs(job.source.shape[0], rows, rows_around(job), source, result, [&](std::int64_t count, auto from, auto to) {
            run_unproved(gpu, with_rows(job, count), from, to);
        });
    } else {
        run_unproved(gpu, job, source, result);
    }
    prove_doubles(gpu, [&] { return is_right(gpu, job); });
}

} // namespace glproc
