#include "glproc/kinds/value_order.hpp"

#include <array>
#include <bit>
#include <cmath>
#include <cstddef>

namespace glproc {

namespace {

/// Whole numbers in the order of the values.
std::uint32_t order_key_of(float value) {
    const auto bits = std::bit_cast<std::uint32_t>(value == 0 ? 0.0F : value);
    return bits ^ (bits >> 31U != 0 ? ~0U : 0x80000000U);
}

} // namespace

std::vector<std::uint32_t> in_order_of_value(std::span<const float> values) {
    std::vector<std::uint32_t> order;
    order.reserve(values.size());
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (!std::isnan(values[i])) {
            order.push_back(static_cast<std::uint32_t>(i));
        }
    }
    std::vector<std::uint32_t> sorted(order.size());
    for (const unsigned shift : {0U, 16U}) { // radix sort: the low half of the key, then the high one
        std::vector<std::size_t> ends(65537);
        for (const std::uint32_t i : order) {
            ++ends[(order_key_of(values[i]) >> shift & 0xffffU) + 1];
        }
        for (std::size_t digit = 1; digit < ends.size(); ++digit) {
            ends[digit] += ends[digit - 1];
        }
        for (const std::uint32_t i : order) {
            sorted[ends[order_key_of(values[i]) >> shift & 0xffffU]++] = i;
        }
        order.swap(sorted);
    }
    return order;
}

} // namespace glproc
