#include "glproc/arrays/footprints/footprints.hpp"
#include "glproc/base/covering.hpp"

#include "glproc/arrays/number_cast.hpp"
#include "glproc/arrays/volume_pass.hpp"

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
    const std::uint32_t gap = job.border == BorderMode::mirror ? 1 : 0;
    bool is_near = true;
    for (std::size_t axis = 0; axis < length.size(); ++axis) {
        is_near = is_near && std::max(before[axis], after[axis]) + gap <= length[axis];
    }
    return is_near || job.border == BorderMode::nearest || job.border == BorderMode::constant;
}

/// How many neighbours are sorted in variables; 0: none.
std::size_t sorted_of(const FootprintJob& job) {
    const std::size_t count = job.neighbours();
    return job.what != Do::rank || count > 27 || !is_near(job) ? 0 : count <= 9 ? 9 : count <= 25 ? 25 : 27;
}

bool wants_middle(const FootprintJob& job) {
    return job.neighbours() == sorted_of(job) && job.rank == job.neighbours() / 2;
}

/// Zeros of one sign: of two zeros either may have a rank.
template <class T>
void join_zeros(std::span<std::byte> bytes) {
    T* const values = reinterpret_cast<T*>(bytes.data());
    std::replace(values, values + bytes.size() / sizeof(T), T{0}, T{0});
}

/// A small array, and as many neighbours as the same program has.
FootprintJob probe_of(const FootprintJob& job, BorderMode border) {
    FootprintJob probe{.source = {job.source.type, {3, 5, 7, 9}},
                       .result = job.result,
                       .what = job.what,
                       .border = border,
                       .constant = 3.5,
                       .offsets = {},
                       .weights = {},
                       .rank = 0,
                       .is_set = false};
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

} // namespace

std::vector<Probe<FootprintJob>> FootprintJob::probes() const {
    std::vector<Probe<FootprintJob>> probes;
    for (const BorderMode one : {BorderMode::reflect, BorderMode::nearest, BorderMode::mirror,
                                 BorderMode::wrap, BorderMode::constant}) {
        const FootprintJob probe = probe_of(*this, one);
        std::vector<std::byte> values = probe_values(probe.source);
        if (what == Do::rank && source.type == Number::f32) {
            join_zeros<float>(values);
        } else if (what == Do::rank && source.type == Number::f64) {
            join_zeros<double>(values);
        }
        probes.push_back({probe, std::move(values), {}});
    }
    return probes;
}

bool FootprintJob::fits_at_once(const Context& gpu) const {
    // Mesa's software renderers leave a loop after 65535 rounds.
    constexpr std::size_t most_neighbours = 65535;
    constexpr std::int64_t most = std::int64_t{1} << 29U;
    if (source.shape.size() > most_footprint_axes || neighbours() < 1 || neighbours() > most_neighbours ||
        result == Number::u64 || source.count() >= most) {
        return false;
    }
    const bool is_near =
        std::ranges::all_of(offsets, [](std::int64_t offset) { return offset > -most && offset < most; });
    const auto block = static_cast<std::size_t>(gpu.limits().storage_block_bytes);
    const std::size_t bytes[] = {padded_bytes(source), padded_bytes(result_form()),
                                 5 * neighbours() * sizeof(std::int32_t)};
    const bool in_blocks = std::ranges::all_of(bytes, [&](std::size_t one) { return one <= block; });
    return is_near && in_blocks && bytes[0] + bytes[1] + bytes[2] <= gpu.memory_bytes();
}

std::optional<std::int64_t> FootprintJob::rows_around() const {
    const std::int64_t around = std::max(reach_of(*this, -1)[0], reach_of(*this, 1)[0]);
    return around > 0 && border == BorderMode::wrap ? std::nullopt : std::optional(around);
}

Found FootprintJob::run_on_gpu(Context& gpu, SourceBytes from, ResultBytes to) const {
    constexpr const char* names[] = {"SUM", "MINIMUM", "MAXIMUM", "RANK"};
    const Buffer values = uploaded(gpu, from, "array");
    const std::vector<std::int32_t> entries = entries_of(*this);
    Buffer places = gpu.make_buffer(entries.size() * sizeof(std::int32_t), "offsets");
    places.write(entries);
    Buffer factors = gpu.make_buffer(std::max<std::size_t>(weights.size(), 1) * sizeof(double), "weights");
    Buffer made = gpu.make_buffer(padded_bytes(result_form()), "array");
    const std::int64_t results = source.count();
    const std::size_t sorted = sorted_of(*this);
    Pass pass = gpu.pass("footprint.values", "arrays/footprints/values.comp",
                         {{"SRC", glsl_name(source.type)},
                          {"DST", glsl_name(result)},
                          {"DO", names[static_cast<int>(what)]},
                          {"COUNT", std::to_string(sorted)},
                          {"MIDDLE", wants_middle(*this) ? "1" : "0"}});
    pass.reads("b_src", values).reads("b_offsets", places).writes("b_dst", made);
    pass.set("u_length", sizes_of(source))
        .set("u_before", reach_of(*this, -1))
        .set("u_after", reach_of(*this, 1))
        .set("u_constant", bits_of(constant_of(*this), 0))
        .set("u_border", static_cast<int>(border))
        .set("u_results", static_cast<int>(results));
    if (what == Do::sum) {
        factors.write(weights);
        pass.reads("b_weights", factors);
    }
    if (sorted > 0) {
        Ints near(sorted);
        for (std::size_t i = 0; i < neighbours(); ++i) {
            near[i] = entries[5 * i];
        }
        pass.set("u_near", std::move(near));
    }
    if (!wants_middle(*this)) {
        pass.set("u_neighbours", static_cast<int>(neighbours()));
        if (what == Do::rank) {
            pass.set("u_rank", static_cast<int>(rank));
        }
    }
    const auto per_word = static_cast<std::int64_t>(std::max<std::size_t>(4 / bytes_of(result), 1));
    pass.over_1d(covering(results, per_word));
    gpu.state().transfer->download(made, to);
    return 0;
}

} // namespace glproc
