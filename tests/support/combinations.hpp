// Which of the many combinations of formats, borders and parameters a test tries.
#pragma once

#include "glproc/image/image.hpp"
#include "support/inputs.hpp"

#include <cstddef>
#include <tuple>
#include <utility>
#include <vector>

namespace glproc::test {

/// Whether nothing is left out: GLPROC_TEST_ALL is set, as `scripts/test --all` does.
bool tries_everything();

/// One index below each of `sizes`: as many combinations as it takes for every two indices of different
/// places to meet in one, or all of them.
std::vector<std::vector<std::size_t>> index_combinations(const std::vector<std::size_t>& sizes);

/// One value of each list, likewise.
template <class... T>
std::vector<std::tuple<T...>> combinations(const std::vector<T>&... lists) {
    std::vector<std::tuple<T...>> result;
    for (const std::vector<std::size_t>& indices : index_combinations({lists.size()...})) {
        [&]<std::size_t... place>(std::index_sequence<place...>) {
            result.emplace_back(lists[indices[place]]...);
        }
        (std::index_sequence_for<T...>());
    }
    return result;
}

inline const std::vector<Depth> every_depth{Depth::u8, Depth::u16, Depth::f32};

/// Every depth and every number of channels, each once or twice; or all kinds.
std::vector<Shape> some_kinds(const Size& size);

} // namespace glproc::test
