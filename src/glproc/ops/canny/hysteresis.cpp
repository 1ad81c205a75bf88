#include "glproc/ops/canny/hysteresis.hpp"

#include <algorithm>
#include <utility>

namespace glproc {

namespace {

std::uint32_t words_of(const MaskBits& mask, int above) {
    return static_cast<std::uint32_t>(mask.row_words() * (mask.height - above));
}

Buffer words(Context& gpu, std::size_t count) {
    return gpu.make_buffer(std::max<std::size_t>(count, 1) * sizeof(std::uint32_t), "canny.marks");
}

} // namespace

/// The band with the last row of the one before above it.
Labelling Hysteresis::labelled(const MaskBits& weak) {
    MaskBits mask{
        weak.width, weak.height + above(),
        gpu_.make_buffer(weak.row_bytes() * static_cast<std::size_t>(weak.height + above()), "canny.mask")};
    if (row_above_) {
        mask.words.copy_from(row_above_->words, 0, 0, mask.row_bytes());
    }
    mask.words.copy_from(weak.words, 0, mask.row_bytes() * static_cast<std::size_t>(above()),
                         weak.row_bytes() * static_cast<std::size_t>(weak.height));
    MaskBits row{weak.width, 1, gpu_.make_buffer(weak.row_bytes(), "canny.row_above")};
    row.words.copy_from(weak.words, weak.row_bytes() * static_cast<std::size_t>(weak.height - 1), 0,
                        row.row_bytes());
    row_above_ = std::move(row);
    return Labelling(gpu_, std::move(mask), Connectivity::eight);
}

Buffer Hysteresis::marks_of(Labelling& band, const MaskBits& strong, int above) const {
    Buffer marks = words(gpu_, band.count());
    clear(gpu_, marks);
    gpu_.pass("canny.marks", "canny/connect.comp", {{"STEP", "0"}})
        .reads("b_weak", band.mask().words)
        .reads("b_parents", band.parents())
        .reads("b_strong", strong.words)
        .updates("b_marks", marks)
        .set("u_words", words_of(band.mask(), above))
        .set("u_first_word", static_cast<std::uint32_t>(band.mask().row_words() * above))
        .over_1d(words_of(band.mask(), above));
    return marks;
}

void Hysteresis::look(const MaskBits& weak, const MaskBits& strong) {
    if (last_) {
        join_last();
        is_joined_ = true;
    }
    last_above_ = above();
    last_.emplace(labelled(weak));
    marks_ = marks_of(*last_, strong, last_above_);
}

void Hysteresis::look_at_all(MaskBits weak, const MaskBits& strong) {
    last_.emplace(gpu_, std::move(weak), Connectivity::eight, strong);
    gpu_.pass("canny.marks", "canny/whole.comp", {{"STEP", "0"}})
        .reads("b_parents", last_->parents())
        .updates("b_chosen", last_->chosen())
        .set("u_words", words_of(last_->mask(), 0))
        .over_1d(words_of(last_->mask(), 0));
    gpu_.pass("canny.roots", "canny/whole.comp", {{"STEP", "1"}})
        .reads("b_parents", last_->parents())
        .reads("b_roots", last_->roots())
        .updates("b_chosen", last_->chosen())
        .set("u_words", words_of(last_->mask(), 0))
        .over_1d(words_of(last_->mask(), 0));
}

MaskBits Hysteresis::keep_all() const {
    const MaskBits& mask = last_->mask();
    MaskBits edges{mask.width, mask.height, words(gpu_, words_of(mask, 0))};
    gpu_.pass("canny.kept", "canny/whole.comp", {{"STEP", "2"}})
        .reads("b_parents", last_->parents())
        .reads("b_weak", mask.words)
        .reads("b_chosen", last_->chosen())
        .writes("b_edges", edges.words)
        .set("u_words", words_of(mask, 0))
        .over_1d(words_of(mask, 0));
    return edges;
}

/// A component's area is 1 if it has a strong pixel, else 0.
void Hysteresis::join_last() {
    const std::vector<std::uint32_t> marks = marks_->read<std::uint32_t>(last_->count());
    std::vector<ComponentSums> components(marks.size());
    std::transform(marks.begin(), marks.end(), components.begin(),
                   [](std::uint32_t mark) { return ComponentSums{.area = mark}; });
    join_.add(std::move(components), last_above_ == 1 ? last_->row_labels(0) : std::vector<std::uint32_t>(),
              last_->row_labels(last_->mask().height - 1));
    last_.reset();
}

void Hysteresis::end() {
    row_above_.reset();
    if (!is_joined_) {
        return;
    }
    join_last();
    marks_.reset();
    const std::vector<ComponentSums> components = join_.end();
    std::vector<std::uint32_t> has_strong(components.size());
    std::transform(components.begin(), components.end(), has_strong.begin(),
                   [](const ComponentSums& component) { return component.area > 0 ? 1U : 0U; });
    join_.number_bands(has_strong);
}

MaskBits Hysteresis::kept(const Labelling& band, const Buffer& marks, int above) const {
    const MaskBits& mask = band.mask();
    MaskBits edges{mask.width, mask.height - above, words(gpu_, words_of(mask, above))};
    gpu_.pass("canny.kept", "canny/connect.comp", {{"STEP", "1"}})
        .reads("b_weak", mask.words)
        .reads("b_parents", band.parents())
        .reads("b_kept", marks)
        .writes("b_edges", edges.words)
        .set("u_words", words_of(mask, above))
        .set("u_first_word", static_cast<std::uint32_t>(mask.row_words() * above))
        .over_1d(words_of(mask, above));
    return edges;
}

MaskBits Hysteresis::keep(const MaskBits& weak) {
    const int rows_above = above();
    const Labelling band = labelled(weak);
    const auto labels = join_.labels_of_band(kept_++);
    Buffer marks = words(gpu_, labels.size());
    marks.write(std::as_bytes(labels));
    return kept(band, marks, rows_above);
}

} // namespace glproc
