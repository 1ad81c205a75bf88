#include "glproc/ops/components/measures.hpp"

#include "glproc/kinds/hidden.hpp"

#include <algorithm>
#include <cmath>
#include <type_traits>
#include <utility>

namespace glproc {

namespace {

template <class T>
void add_value(ComponentValues& values, T value) {
    const bool is_first = values.count++ == 0;
    const auto number = static_cast<double>(value);
    if constexpr (std::is_floating_point_v<T>) {
        values.floats += number;
    } else {
        values.codes += value;
    }
    const bool is_nan = std::isnan(number); // which stays, since nothing compares with it
    values.least = is_first || is_nan || number < values.least ? number : values.least;
    values.largest = is_first || is_nan || number > values.largest ? number : values.largest;
}

} // namespace

LabelMeasures::LabelMeasures(const ComponentNeeds& needs, MeasuredComponents& components)
    : width_(static_cast<std::size_t>(components.picture.width)), needs_(needs), to_(components),
      sums_(components.labelled) {
    sums_.resize(components.sums.size());
    if (needs.hulls) {
        hulls_.emplace(components.sums);
    }
    if (needs.spreads) {
        spreads_.emplace(components.sums, components.with, needs.ranks);
    }
}

void LabelMeasures::add(std::span<const std::uint32_t> labels, const Image* values) {
    if (values != nullptr) {
        switch (values->depth()) {
        case Depth::u8:
            add_values<std::uint8_t>(labels, *values);
            break;
        case Depth::u16:
            add_values<std::uint16_t>(labels, *values);
            break;
        case Depth::f32:
            add_values<float>(labels, *values);
            break;
        }
    }
    if (spreads_) {
        spreads_->add(labels, *values);
    }
    for (std::size_t begin = 0; begin < labels.size(); begin += width_) {
        const std::span<const std::uint32_t> row = labels.subspan(begin, width_);
        if (needs_.outlines) {
            add_row(row);
        }
        if (hulls_) {
            hulls_->add_row(row);
        }
    }
}

template <class T>
void LabelMeasures::add_values(std::span<const std::uint32_t> labels, const Image& picture) {
    const auto channels = static_cast<std::size_t>(picture.channels());
    const T* pixel = picture.values<T>().data();
    for (std::size_t i = 0; i < labels.size(); ++i, pixel += channels) { // NOLINT: to the end
        if (labels[i] == 0) {
            continue;
        }
        LabelledSums& sums = sums_[labels[i] - 1];
        sums.values.resize(channels);
        const bool is_hidden =
            picture.has_alpha() && hides(pixel[channels - 1]); // NOLINT: a pixel has so many
        for (std::size_t c = is_hidden ? channels - 1 : 0; c < channels; ++c) {
            add_value(sums.values[c], pixel[c]); // NOLINT: likewise
        }
    }
}

void LabelMeasures::end() {
    const Row nothing(width_);
    for (int i = 0; needs_.outlines && i < 2; ++i) {
        add_row(nothing);
    }
    if (hulls_) {
        to_.hulls = std::move(hulls_->shapes());
    }
    if (spreads_) {
        to_.spreads = std::move(spreads_->spreads());
    }
}

/// The next row completes the outline of the row before it, and what is around the outline before that.
void LabelMeasures::add_row(std::span<const std::uint32_t> labels) {
    for (Row* row : {&rows_[0], &rows_[1], &rows_[2], &outline_[0], &outline_[1], &outline_[2]}) {
        row->resize(width_ + 2);
    }
    std::rotate(rows_.begin(), rows_.begin() + 1, rows_.end());
    std::copy(labels.begin(), labels.end(), rows_[2].begin() + 1);
    count_holes();
    mark_outline();
    count_outline();
}

/// The Euler number of the union of squares: corners, less sides, plus squares. Each is counted with the last
/// of its pixels.
void LabelMeasures::count_holes() {
    const Row& above = rows_[1];
    const Row& here = rows_[2];
    for (std::size_t x = 1; x <= width_; ++x) {
        const std::uint32_t label = here[x];
        if (label != 0) {
            const bool up = above[x] != label;
            const bool left = here[x - 1] != label;
            sums_[label - 1].euler += std::int64_t{up && above[x + 1] != label} +
                                      std::int64_t{up && left && above[x - 1] != label} - std::int64_t{up};
        }
    }
}

void LabelMeasures::mark_outline() {
    std::rotate(outline_.begin(), outline_.begin() + 1, outline_.end());
    const auto& [above, here, below] = rows_;
    for (std::size_t x = 1; x <= width_; ++x) {
        const std::uint32_t label = here[x];
        const bool is_inside =
            above[x] == label && below[x] == label && here[x - 1] == label && here[x + 1] == label;
        outline_[2][x] = is_inside ? 0 : label;
    }
}

void LabelMeasures::count_outline() {
    const auto& [above, here, below] = outline_;
    for (std::size_t x = 1; x <= width_; ++x) {
        const std::uint32_t label = here[x];
        if (label == 0) {
            continue;
        }
        const int sides = int{above[x] == label} + int{below[x] == label} + int{here[x - 1] == label} +
                          int{here[x + 1] == label};
        const int corners = int{above[x - 1] == label} + int{above[x + 1] == label} +
                            int{below[x - 1] == label} + int{below[x + 1] == label};
        LabelledSums& sums = sums_[label - 1];
        sums.straight += (sides == 2 || sides == 3) && corners <= 2 ? 1 : 0;
        sums.diagonal += (sides == 0 && corners == 2) || (sides == 1 && corners == 3) ? 1 : 0;
        sums.bent += sides == 1 && (corners == 1 || corners == 2) ? 1 : 0;
    }
}

} // namespace glproc
