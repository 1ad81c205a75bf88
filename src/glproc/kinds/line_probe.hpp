// Small arrays on which a driver shows whether it computes lines rightly.
#pragma once

#include "glproc/kinds/line.hpp"

#include <cstddef>
#include <span>
#include <vector>

namespace glproc {

/// Jobs of a pass each, by the programs of `job`, on about a thousand values.
std::vector<LineJob> probes_of(const LineJob& job);

/// Values of the type that reveal faults: noise of every size, zeros of both signs, the smallest floats and
/// infinity.
std::vector<std::byte> probe_values(const VolumeForm& form);

/// Equal bits, or both not a number.
bool same_numbers(Number type, std::span<const std::byte> a, std::span<const std::byte> b);

} // namespace glproc
