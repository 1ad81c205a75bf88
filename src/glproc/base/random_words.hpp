// Noise that is the same everywhere, for probes and benches.
#pragma once

#include <cstdint>
#include <random>

namespace glproc {

/// Words of 32 bits, the high bits more random than the low ones (W. H. Press et al., Numerical Recipes, 2nd
/// ed., 7.1).
using RandomWords = std::linear_congruential_engine<std::uint32_t, 1664525U, 1013904223U, 0U>;

} // namespace glproc
