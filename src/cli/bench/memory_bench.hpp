// Measures the cost of moving pixels, for `bench`. Nothing here produces a result.
#pragma once

#include "glproc/op/op.hpp"

#include <vector>

namespace glproc {

/// `transfer`: between CPU memory and the GPU, a variant for each direction, depth and number of channels.
/// `copy`: from texture to texture on the GPU, which no filter can be faster than.
const std::vector<const OpInfo*>& memory_benches();

} // namespace glproc
