#include "glproc/ops/components/labelling.hpp"

#include "glproc/base/covering.hpp"
#include "glproc/base/error.hpp"
#include "glproc/op/proof.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include <fmt/format.h>

namespace glproc {

namespace {

constexpr std::int64_t word_runs = 16;     // of glsl/lib/runs.glsl
constexpr std::int64_t run_group = 512;    // runs whose parents lie together: glsl/lib/labels.glsl
constexpr std::int64_t block_words = 4;    // of glsl/components/blocks.comp
constexpr std::int64_t block_rows = 32;    // likewise
constexpr std::int64_t chunk_words = 2048; // of glsl/components/count.comp
constexpr std::int64_t sum_rows = 64;      // of a block of glsl/components/sums.comp
constexpr auto word_bytes = static_cast<std::int64_t>(sizeof(std::uint32_t));

std::int64_t parts(std::int64_t all, std::int64_t part) {
    return covering(all, part);
}

std::uint32_t whole(std::int64_t value) {
    return static_cast<std::uint32_t>(value);
}

const char* word_of_eight(Connectivity connectivity) {
    return connectivity == Connectivity::eight ? "1" : "0";
}

} // namespace

void clear(Context& gpu, Buffer& buffer) {
    const auto quads =
        static_cast<std::int64_t>(buffer.bytes() + 15) / 16; // memory ends at a multiple of 16 bytes
    gpu.pass("components.clear", "jpeg/clear.comp")
        .writes("b_words", buffer)
        .set("u_quads", whole(quads))
        .groups(std::min<std::int64_t>(parts(quads, 256), 2048));
}

int most_labelled_rows(Context& gpu, int width) {
    constexpr std::int64_t most_runs = std::int64_t{1} << 31; // the highest bit of a run marks labels
    const std::int64_t row_runs = MaskBits::row_words_of(width) * word_runs;
    const std::int64_t runs = std::min(gpu.limits().storage_block_bytes / word_bytes, most_runs - 1) / run_group *
                              run_group;
    return static_cast<int>(std::min<std::int64_t>(runs / row_runs, 1 << 18));
}

Labelling::Labelling(Context& gpu, MaskBits mask, const char* eight, Numbering numbering)
    : gpu_(gpu), mask_(std::move(mask)), eight_(eight), roots_(words(mask_.word_count(), "components.roots")),
      parents_(words(parts(run_limit(), run_group) * run_group, "components.parents")),
      ranks_(words(numbering == Numbering::none ? 1 : mask_.word_count(), "components.ranks")),
      counts_(words(parts(mask_.word_count(), chunk_words) + 1, "components.counts")) {
    if (const int most = most_labelled_rows(gpu, mask_.width); mask_.height > most) {
        throw Error(ErrorCode::operation,
                    fmt::format("components of {}x{} pixels at once, where {} has room for {} rows of them",
                                mask_.width, mask_.height, gpu.device().renderer, most));
    }
}

Labelling::Labelling(Context& gpu, MaskBits mask, Connectivity connectivity, Numbering numbering)
    : Labelling(gpu, std::move(mask), word_of_eight(connectivity), numbering) {
    unite();
    if (numbering == Numbering::labels) {
        number();
    }
}

Labelling::Labelling(Context& gpu, MaskBits mask, Connectivity connectivity, const MaskBits& choice)
    : Labelling(gpu, std::move(mask), word_of_eight(connectivity), Numbering::none) {
    chosen_ = words(mask_.word_count(), "components.chosen");
    unite(&choice);
}

Buffer Labelling::words(std::int64_t count, const char* label) const {
    return gpu_.make_buffer(static_cast<std::size_t>(count * word_bytes), label);
}

Pass Labelling::pass(const char* name, const Defines& defines) const {
    return gpu_.pass(fmt::format("components.{}", name), fmt::format("components/{}.comp", name), defines);
}

void Labelling::unite(const MaskBits* choice) {
    const Defines neighbours{{"EIGHT", eight_}};
    const std::uint32_t rows = whole(mask_.height);
    const std::uint32_t row_words = whole(mask_.row_words());
    Pass blocks = pass("blocks", {{"EIGHT", eight_}, {"CHOSEN", choice != nullptr ? "1" : "0"}});
    if (choice != nullptr) {
        blocks.reads("b_choice", choice->words).writes("b_chosen", *chosen_);
    }
    blocks.reads("b_bits", mask_.words)
        .writes("b_parents", parents_)
        .writes("b_roots", roots_)
        .set("u_rows", rows)
        .set("u_row_words", row_words)
        .groups(parts(row_words, block_words), parts(rows, block_rows));
    const std::int64_t border_words =
        (rows - 1) / block_rows * row_words + (row_words - 1) / block_words * std::int64_t{rows};
    if (border_words > 0) {
        pass("borders", neighbours)
            .reads("b_bits", mask_.words)
            .updates("b_parents", parents_)
            .set("u_rows", rows)
            .set("u_row_words", row_words)
            .over_1d(border_words);
    }
}

void Labelling::number() {
    const std::int64_t all = mask_.word_count();
    const std::int64_t chunks = parts(all, chunk_words);
    pass("count")
        .reads("b_parents", parents_)
        .reads("b_roots", roots_)
        .writes("b_ranks", ranks_)
        .writes("b_counts", counts_)
        .set("u_words", whole(all))
        .groups_1d(chunks);
    gpu_.pass("components.offsets", "arrays/labels/offsets.comp")
        .updates("b_counts", counts_)
        .set("u_chunks", whole(chunks))
        .groups(1);
    pass("number")
        .reads("b_roots", roots_)
        .reads("b_ranks", ranks_)
        .reads("b_counts", counts_)
        .updates("b_parents", parents_)
        .set("u_words", whole(all))
        .over_1d(all);
}

std::int64_t Labelling::run_limit() const {
    return mask_.word_count() * word_runs;
}

std::uint32_t Labelling::count() {
    if (!is_counted_) {
        Buffer sum = words(1, "components.count");
        const std::size_t last = counts_.bytes() - sum.bytes();
        sum.copy_from(counts_, last, 0, sum.bytes());
        count_ = sum.read<std::uint32_t>(1).front();
        if (count_ > static_cast<std::uint64_t>(mask_.width) * static_cast<std::uint64_t>(mask_.height)) {
            refuse_result(gpu_, "there are more components than pixels");
        }
        is_counted_ = true;
    }
    return count_;
}

void Labelling::write_labels(Buffer& labels, int first_row, int rows, const Buffer* numbers) const {
    const std::int64_t row_bytes = mask_.width * word_bytes;
    const std::int64_t alignment = std::max<std::int64_t>(gpu_.limits().storage_alignment, 16);
    const std::int64_t room = gpu_.limits().storage_block_bytes - alignment;
    const std::int64_t part = std::clamp<std::int64_t>(room / row_bytes, 1, rows);
    for (std::int64_t row = 0; row < rows; row += part) {
        const std::int64_t count = std::min(part, rows - row);
        const std::int64_t begin = row * row_bytes / alignment * alignment;
        const auto range = BufferRange{static_cast<std::size_t>(begin),
                                       static_cast<std::size_t>((row + count) * row_bytes - begin)};
        Pass labels_pass = pass("labels", {{"MAPPED", numbers != nullptr ? "1" : "0"}});
        if (numbers != nullptr) {
            labels_pass.reads("b_numbers", *numbers);
        }
        labels_pass.reads("b_bits", mask_.words)
            .reads("b_parents", parents_)
            .writes("b_labels", labels, range)
            .set("u_width", whole(mask_.width))
            .set("u_row_words", whole(mask_.row_words()))
            .set("u_first_word", whole((first_row + row) * mask_.row_words()))
            .set("u_words", whole(count * mask_.row_words()))
            .set("u_first_pixel", whole(std::int64_t{first_row} * mask_.width + begin / word_bytes))
            .groups_1d(parts(count * mask_.row_words(), 64));
    }
}

std::vector<std::uint32_t> Labelling::row_labels(int y) const {
    Buffer row = words(mask_.width, "components.row");
    write_labels(row, y, 1);
    return row.read<std::uint32_t>(static_cast<std::size_t>(mask_.width));
}

Buffer Labelling::sums_of(std::uint32_t first, std::uint32_t count, bool moments, int first_row) const {
    Buffer sums = words(std::int64_t{sum_words(moments)} * count, "components.sums");
    clear(gpu_, sums);
    pass("sums", {{"EIGHT", eight_}, {"MOMENTS", moments ? "1" : "0"}})
        .reads("b_bits", mask_.words)
        .reads("b_parents", parents_)
        .updates("b_sums", sums)
        .set("u_rows", whole(mask_.height))
        .set("u_row_words", whole(mask_.row_words()))
        .set("u_first_row", whole(first_row))
        .set("u_first_label", first)
        .set("u_labels", count)
        .groups(parts(mask_.row_words(), block_words), parts(mask_.height - first_row, sum_rows));
    return sums;
}

std::vector<ComponentSums> Labelling::sums(bool moments, int first_row) {
    const auto each = static_cast<std::size_t>(sum_words(moments));
    const std::int64_t room = gpu_.limits().storage_block_bytes / (sum_words(moments) * word_bytes);
    std::vector<ComponentSums> all;
    all.reserve(count());
    while (all.size() < count()) {
        const std::uint32_t labels = whole(std::min<std::int64_t>(room, count() - std::int64_t(all.size())));
        const Buffer sums = sums_of(whole(std::int64_t(all.size()) + 1), labels, moments, first_row);
        const std::vector<std::uint32_t> found = sums.read<std::uint32_t>(each * labels);
        for (std::size_t i = 0; i < found.size(); i += each) {
            all.push_back(sums_of_words(std::span(found).subspan(i, each)));
        }
    }
    return all;
}

} // namespace glproc
