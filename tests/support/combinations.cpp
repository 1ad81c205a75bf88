#include "support/combinations.hpp"

#include "glproc/shader/variants.hpp"
#include "support/operation_cases.hpp"

#include <cstdlib>
#include <string>

namespace glproc::test {

bool tries_everything() {
    const char* all = std::getenv("GLPROC_TEST_ALL");
    return all != nullptr && *all != '\0';
}

std::vector<std::vector<std::size_t>> index_combinations(const std::vector<std::size_t>& sizes) {
    std::vector<Defines> product{
        {}}; // places and indices as texts, which covering_pairs() knows how to choose among
    for (std::size_t place = 0; place < sizes.size(); ++place) {
        std::vector<Defines> longer;
        for (const Defines& begun : product) {
            for (std::size_t index = 0; index < sizes[place]; ++index) {
                longer.push_back(begun);
                longer.back().emplace(std::to_string(place), std::to_string(index));
            }
        }
        product = std::move(longer);
    }
    std::vector<std::vector<std::size_t>> result;
    for (const Defines& chosen : tries_everything() ? product : covering_pairs(product)) {
        std::vector<std::size_t>& indices = result.emplace_back();
        for (std::size_t place = 0; place < sizes.size(); ++place) {
            indices.push_back(std::stoul(chosen.at(std::to_string(place))));
        }
    }
    return result;
}

std::vector<Shape> some_kinds(const Size& size) {
    if (tries_everything()) {
        return all_kinds(size);
    }
    const auto [width, height] = size;
    return {{width, height, 3, Depth::u8},
            {width, height, 4, Depth::u8},
            {width, height, 2, Depth::u16},
            {width, height, 1, Depth::f32},
            {width, height, 4, Depth::f32}};
}

} // namespace glproc::test
