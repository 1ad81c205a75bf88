#include "glproc/ops/components/runs.hpp"

#include <algorithm>
#include <bit>

namespace glproc {

namespace {

/// As LabelJob has it: all around, or those at sides.
std::vector<std::uint8_t> structure_of(Connectivity connectivity, int axes) {
    std::vector<std::uint8_t> structure(axes == 2 ? 9 : 27, 1);
    for (std::size_t i = 0; i < structure.size() && connectivity == Connectivity::four; ++i) {
        int away = 0;
        for (std::size_t digits = i, axis = 0; axis < static_cast<std::size_t>(axes); ++axis, digits /= 3) {
            away += digits % 3 == 1 ? 0 : 1;
        }
        structure[i] = away <= 1 ? 1 : 0;
    }
    return structure;
}

std::vector<std::int64_t> shape_of(const HostMask& mask, int planes) {
    return planes == 0 ? std::vector<std::int64_t>{mask.height, mask.width}
                       : std::vector<std::int64_t>{planes, mask.height / planes, mask.width};
}

/// The runs of a row of a mask: wherever a bit differs from the one before, one begins or ends.
std::int32_t* runs_of_row(const HostMask& mask, int y, std::int32_t* to) {
    const std::uint32_t* word = &mask.words[mask.word_of(0, y)];
    std::uint32_t before = 0;
    for (std::int32_t x = 0; x < mask.width; x += 32, ++word) {
        for (std::uint32_t changes = *word ^ (*word << 1U | before); changes != 0; changes &= changes - 1) {
            *to++ = x + std::countr_zero(changes);
        }
        before = *word >> 31U;
    }
    if (before != 0) { // bits beyond the row are 0, so that it ends with the word
        *to++ = mask.width;
    }
    return to;
}

/// The sum of the squares of `count` numbers, beginning with `first`.
WideSum squares_from(std::uint64_t first, std::uint64_t count) {
    constexpr std::uint64_t most = 1U << 20U; // so that 64 bits hold a part
    WideSum sum = 0;
    while (count > 0) {
        const std::uint64_t n = std::min(count, most);
        sum += WideSum{first} * first * n + WideSum{first} * (n * (n - 1)) + (n - 1) * n * (2 * n - 1) / 6;
        first += n;
        count -= n;
    }
    return sum;
}

/// Sets the bits of a row from `begin` to `end` - 1.
void set_run(std::uint32_t* row, std::uint32_t begin, std::uint32_t end) {
    const std::uint32_t first = begin / 32;
    const std::uint32_t last = (end - 1) / 32;
    const std::uint32_t from_first = ~0U << begin % 32;
    const std::uint32_t to_last = ~0U >> (31 - (end - 1) % 32);
    if (first == last) {
        row[first] |= from_first & to_last;
        return;
    }
    row[first] |= from_first;
    std::fill(row + first + 1, row + last, ~0U);
    row[last] |= to_last;
}

void add_run(ComponentSums& sums, std::uint64_t y, std::uint64_t begin, std::uint64_t end, bool moments) {
    const std::uint64_t pixels = end - begin;
    const std::uint64_t x = (begin + end - 1) * pixels / 2;
    sums.area += pixels;
    sums.x += x;
    sums.y += y * pixels;
    sums.left = std::min(sums.left, static_cast<int>(begin));
    sums.right = std::max(sums.right, static_cast<int>(end) - 1);
    sums.top = std::min(sums.top, static_cast<int>(y));
    sums.bottom = std::max(sums.bottom, static_cast<int>(y));
    if (moments) {
        sums.xx += squares_from(begin, pixels);
        sums.xy += WideSum{x} * y;
        sums.yy += WideSum{y} * y * pixels;
    }
}

} // namespace

MaskRuns::MaskRuns(const HostMask& mask, Connectivity connectivity, int planes)
    : width_(mask.width), height_(mask.height),
      runs_(shape_of(mask, planes), structure_of(connectivity, planes == 0 ? 2 : 3)),
      count_(static_cast<std::uint32_t>(runs_.solve(
          [&](std::int64_t y, std::int32_t* to) { return runs_of_row(mask, static_cast<int>(y), to); }))) {}

void MaskRuns::write_labels(std::span<std::uint32_t> labels, int first_row, int rows,
                            std::span<const std::uint32_t> numbers) const {
    if (numbers.empty()) {
        runs_.write(first_row, first_row + rows, labels.data(),
                    [](std::int32_t label) { return static_cast<std::uint32_t>(label); });
    } else {
        runs_.write(first_row, first_row + rows, labels.data(),
                    [&](std::int32_t label) { return numbers[static_cast<std::size_t>(label) - 1]; });
    }
}

HostMask MaskRuns::mask(std::span<const std::uint32_t> numbers) const {
    HostMask mask{width_, height_};
    mask.words.resize(static_cast<std::size_t>(MaskBits::row_words_of(width_) * height_));
    runs_.for_runs(0, height_, [&](std::int64_t y, std::int32_t begin, std::int32_t end, std::int32_t label) {
        if (numbers[static_cast<std::size_t>(label) - 1] != 0) {
            set_run(&mask.words[mask.word_of(0, static_cast<int>(y))], static_cast<std::uint32_t>(begin),
                    static_cast<std::uint32_t>(end));
        }
    });
    return mask;
}

std::vector<ComponentSums> MaskRuns::sums(bool moments, int first_row) const {
    std::vector<ComponentSums> all(count_);
    runs_.for_runs(
        first_row, height_, [&](std::int64_t y, std::int32_t begin, std::int32_t end, std::int32_t label) {
            add_run(all[static_cast<std::size_t>(label) - 1], static_cast<std::uint64_t>(y - first_row),
                    static_cast<std::uint64_t>(begin), static_cast<std::uint64_t>(end), moments);
        });
    return all;
}

} // namespace glproc
