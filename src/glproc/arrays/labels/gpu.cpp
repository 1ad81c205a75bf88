#include "glproc/arrays/labels/labels.hpp"
#include "glproc/base/covering.hpp"
#include "glproc/base/random_words.hpp"

#include "glproc/arrays/number_cast.hpp"
#include "glproc/arrays/volume_pass.hpp"
#include "glproc/base/parallel.hpp"

#include <algorithm>
#include <array>

namespace glproc {

namespace {

constexpr std::size_t most_label_axes = 4;
constexpr std::int64_t label_chunk_values = 2048; // of glsl/arrays/labels/count.comp

/// A bit for each value that is not 0: an eighth of a byte is to be copied at most.
std::vector<std::uint32_t> bits_of_values(const VolumeForm& form, std::span<const std::byte> source) {
    const auto count = static_cast<std::size_t>(form.count());
    std::vector<std::uint32_t> bits((count + 31) / 32);
    constexpr std::size_t at_once = 1 << 12;
    parallel_for(covering(bits.size(), at_once), [&](std::size_t part) {
        with_type(form.type, [&](auto type) {
            using T = decltype(type);
            const T* const values = reinterpret_cast<const T*>(source.data());
            for (std::size_t word = part * at_once; word < std::min(bits.size(), (part + 1) * at_once); ++word) {
                std::uint32_t found = 0;
                const std::size_t end = std::min(count - word * 32, std::size_t{32});
                for (std::size_t bit = 0; bit < end; ++bit) {
                    found |= static_cast<std::uint32_t>(values[word * 32 + bit] != T{0}) << bit;
                }
                bits[word] = found;
            }
        });
    });
    return bits;
}

/// The neighbours before a value, as arrays/labels/unite.comp reads them.
std::vector<std::int32_t> neighbours_of(const LabelJob& job) {
    const std::size_t axes = job.source.shape.size();
    std::vector<std::int32_t> entries;
    for (std::size_t place = 0; place < job.structure.size() / 2; ++place) {
        if (job.structure[place] == 0) {
            continue;
        }
        std::array<std::int32_t, most_label_axes> along{};
        std::size_t digits = place;
        for (std::size_t axis = axes; axis > 0; --axis, digits /= 3) {
            along[axis - 1] = static_cast<std::int32_t>(digits % 3) - 1;
        }
        std::int64_t flat = 0;
        for (std::size_t axis = 0; axis < axes; ++axis) {
            flat = flat * job.source.shape[axis] + along[axis];
        }
        entries.push_back(static_cast<std::int32_t>(flat));
        entries.insert(entries.end(), along.begin(), along.end());
    }
    return entries;
}

} // namespace

bool LabelJob::fits_at_once(const Context& gpu) const {
    const std::int64_t count = source.count();
    const std::size_t words = static_cast<std::size_t>(count) * sizeof(std::uint32_t);
    return result == Number::i32 && source.shape.size() <= most_label_axes &&
           count < std::int64_t{1} << 30U &&
           words <= static_cast<std::size_t>(gpu.limits().storage_block_bytes) &&
           2 * words + words / 16 <= gpu.memory_bytes();
}

/// Parts of all sizes, with several chunks of values.
std::vector<Probe<LabelJob>> LabelJob::probes() const {
    const std::vector<std::vector<std::int64_t>> shapes{{9001}, {83, 109}, {19, 21, 23}, {7, 9, 11, 13}};
    Probe<LabelJob> probe{*this, {}, {}};
    probe.job.source = {Number::u8, shapes[source.shape.size() - 1]};
    probe.source.resize(probe.job.source.bytes());
    RandomWords noise;
    for (std::byte& value : probe.source) {
        value = static_cast<std::byte>(noise() >> 24U < 105U);
    }
    return {probe};
}

Found LabelJob::run_on_gpu(Context& gpu, SourceBytes from, ResultBytes to) const {
    const std::int64_t values = source.count();
    const auto count = static_cast<std::uint32_t>(values);
    const std::int64_t chunks = covering(values, label_chunk_values);
    const std::vector<std::uint32_t> mask = bits_of_values(source, from);
    const Buffer bits = uploaded(gpu, std::as_bytes(std::span(mask)), "bits");
    Buffer parents = gpu.make_buffer(to.size(), "parents");
    Buffer found = gpu.make_buffer(to.size(), "labels");
    Buffer counts = gpu.make_buffer(static_cast<std::size_t>(chunks + 1) * sizeof(std::uint32_t), "counts");
    gpu.pass("label.begin", "arrays/labels/begin.comp").reads("b_bits", bits).writes("b_parents", parents).set("u_count", count).over_1d(values);
    if (const std::vector<std::int32_t> entries = neighbours_of(*this); !entries.empty()) {
        Buffer offsets = gpu.make_buffer(entries.size() * sizeof(std::int32_t), "offsets");
        offsets.write(entries);
        gpu.pass("label.unite", "arrays/labels/unite.comp")
            .reads("b_offsets", offsets)
            .updates("b_parents", parents)
            .set("u_length", sizes_of(source))
            .set("u_neighbours", static_cast<int>(entries.size() / (most_label_axes + 1)))
            .set("u_count", count)
            .over_1d(values);
    }
    gpu.pass("label.count", "arrays/labels/count.comp")
        .updates("b_parents", parents)
        .writes("b_counts", counts)
        .set("u_count", count)
        .groups_1d(chunks);
    gpu.pass("label.offsets", "arrays/labels/offsets.comp")
        .updates("b_counts", counts)
        .set("u_chunks", static_cast<std::uint32_t>(chunks))
        .groups(1);
    gpu.pass("label.number", "arrays/labels/number.comp")
        .reads("b_counts", counts)
        .updates("b_parents", parents)
        .set("u_count", count)
        .groups_1d(chunks);
    gpu.pass("label.labels", "arrays/labels/labels.comp")
        .reads("b_parents", parents)
        .writes("b_labels", found)
        .set("u_count", count)
        .over_1d(values);
    gpu.state().transfer->download(found, to);
    return counts.read<std::uint32_t>(static_cast<std::size_t>(chunks + 1)).back();
}

} // namespace glproc
