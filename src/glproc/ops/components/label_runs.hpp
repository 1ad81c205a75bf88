// The runs of pixels of one label in a row.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace glproc {

/// Calls use(component, begin, end) for the runs of labels that are not 0; label 1 is component 0.
template <class Use>
void for_label_runs(std::span<const std::uint32_t> row, const Use& use) {
    std::size_t end = 0;
    for (std::size_t begin = 0; begin < row.size(); begin = end) {
        for (end = begin + 1; end < row.size() && row[end] == row[begin];) {
            ++end;
        }
        if (row[begin] != 0) {
            use(std::size_t{row[begin]} - 1, begin, end);
        }
    }
}

} // namespace glproc
