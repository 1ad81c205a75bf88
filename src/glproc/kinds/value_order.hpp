// The pixels of a picture in the order of their values: for operations that flood it.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace glproc {

/// The numbers of all values but NaN, the smallest value first, equal ones in the order in which they stand;
/// -0 equals 0. Fewer than 2^32 - 1 values.
std::vector<std::uint32_t> in_order_of_value(std::span<const float> values);

} // namespace glproc
