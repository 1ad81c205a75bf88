// Small arrays on which a driver shows whether it computes lines rightly.
#pragma once

#include "glproc/arrays/lines/lines.hpp"

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

namespace glproc {

/// Jobs of a pass each, by the programs of `job`, on about a thousand values.
std::vector<LineJob> probes_of(const LineJob& job);

/// Values of the type that reveal faults: noise of every size, zeros of both signs, the smallest floats and
/// infinity.
std::vector<std::byte> probe_values(const VolumeForm& form);

/// "U8" to "F64", as kernels define SRC and DST.
const char* glsl_name(Number type);

/// Where programs have run that are not proved yet: throws WrongKernel unless `is_right`, which tries them on small arrays.
void prove_doubles(Context& gpu, const std::function<bool()>& is_right);

/// Equal bits, or both not a number.
bool same_numbers(Number type, std::span<const std::byte> a, std::span<const std::byte> b);

} // namespace glproc
