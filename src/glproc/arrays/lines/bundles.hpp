// Lines of an array along one axis, in bundles that are worked on together.
#pragma once

#include "glproc/base/covering.hpp"
#include "glproc/image/volume.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace glproc {

/// Of lines side by side, so many are worked on at once: a line of the cache of doubles.
inline constexpr std::int64_t lines_at_once = 8;
/// Of short lines as many as have so many values together.
inline constexpr std::int64_t short_values = 512;

/// Lines along one axis: where they begin, and how far apart their values lie, in values.
struct Lines {
    std::int64_t length;
    std::int64_t step;
    std::int64_t apart = 1;        ///< lines of a bundle
    std::int64_t most_width;       ///< lines of a bundle
    std::int64_t bundles_of_block; ///< lines side by side come in bundles
    std::int64_t bundles;

    /// Lines of the last axis are bundled if they are short or `bundles_last`, and otherwise go one by one.
    Lines(const VolumeForm& form, int axis, bool bundles_last)
        : length(form.shape[static_cast<std::size_t>(axis)]), step(1) {
        for (std::size_t i = static_cast<std::size_t>(axis) + 1; i < form.shape.size(); ++i) {
            step *= form.shape[i];
        }
        const std::int64_t lines = form.count() / length;
        const bool is_short = length * lines_at_once < short_values;
        is_last_ = step == 1 && (bundles_last || is_short);
        apart = is_last_ ? length : 1;
        side_by_side_ = is_last_ ? lines : step;
        most_width = std::min(is_short ? short_values / length : lines_at_once, side_by_side_);
        bundles_of_block = covering(side_by_side_, most_width);
        bundles = lines / side_by_side_ * bundles_of_block;
    }
    std::int64_t begin(std::int64_t bundle) const {
        return bundle / bundles_of_block * length * side_by_side_ +
               bundle % bundles_of_block * most_width * apart;
    }
    std::int64_t width(std::int64_t bundle) const {
        return std::min(most_width, side_by_side_ - bundle % bundles_of_block * most_width);
    }

  private:
    bool is_last_ = false;
    std::int64_t side_by_side_ = 1;
};

/// Calls work(width) with a number that the compiler knows for the most frequent widths: also of colours.
template <class Work>
void with_width(std::int64_t width, const Work& work) {
    switch (width) {
    case 1:
        return work(std::integral_constant<std::int64_t, 1>{});
    case 2:
        return work(std::integral_constant<std::int64_t, 2>{});
    case 3:
        return work(std::integral_constant<std::int64_t, 3>{});
    case 4:
        return work(std::integral_constant<std::int64_t, 4>{});
    case lines_at_once:
        return work(std::integral_constant<std::int64_t, lines_at_once>{});
    default:
        return work(width);
    }
}

} // namespace glproc
