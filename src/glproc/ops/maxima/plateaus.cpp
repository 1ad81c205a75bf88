#include "glproc/ops/maxima/plateaus.hpp"

#include <algorithm>
#include <bit>
#include <iterator>

namespace glproc {

namespace {

/// The first pixel from x on that is set, or is not, at most `width`.
int next_pixel(const HostMask& mask, int x, int y, bool is_set) {
    while (x < mask.width) {
        const std::uint32_t word = mask.words[mask.word_of(x, y)];
        const std::uint32_t wanted = (is_set ? word : ~word) >> (static_cast<unsigned>(x) % 32U);
        if (wanted != 0) {
            return std::min(x + std::countr_zero(wanted), mask.width);
        }
        x = (x / 32 + 1) * 32;
    }
    return mask.width;
}

} // namespace

std::uint32_t Plateaus::first_of(std::uint32_t beginning) {
    while (beginnings_[beginning].earlier != beginning) {
        std::uint32_t& earlier = beginnings_[beginning].earlier;
        earlier = beginnings_[earlier].earlier;
        beginning = earlier;
    }
    return beginning;
}

/// `above`: the first run of the row above that may touch this one or a later one.
void Plateaus::add_run(int begin, int end, int y, std::size_t& above) {
    constexpr std::uint32_t no_beginning = ~0U;
    std::uint32_t found = no_beginning;
    while (above < above_.size() && above_[above].end < begin) {
        ++above;
    }
    for (std::size_t i = above; i < above_.size() && above_[i].begin <= end; ++i) {
        const std::uint32_t other = first_of(above_[i].beginning);
        const std::uint32_t low = std::min(found, other);
        if (found != no_beginning) {
            beginnings_[std::max(found, other)].earlier = low;
        }
        found = low;
    }
    if (found == no_beginning) {
        found = static_cast<std::uint32_t>(beginnings_.size());
        beginnings_.push_back({{begin, y}, found});
    }
    here_.push_back({begin, end, found});
}

void Plateaus::add(const HostMask& mask, int first_row) {
    for (int y = 0; y < mask.height; ++y) {
        std::size_t above = 0;
        here_.clear();
        for (int x = next_pixel(mask, 0, y, true); x < mask.width;) {
            const int end = next_pixel(mask, x, y, false);
            add_run(x, end, first_row + y, above);
            x = next_pixel(mask, end, y, true);
        }
        std::swap(above_, here_);
    }
}

std::vector<Plateaus::Beginning> Plateaus::firsts() const {
    std::vector<Beginning> found;
    std::uint32_t number = 0;
    std::copy_if(beginnings_.begin(), beginnings_.end(), std::back_inserter(found),
                 [&](const Beginning& beginning) { return beginning.earlier == number++; });
    return found;
}

} // namespace glproc
