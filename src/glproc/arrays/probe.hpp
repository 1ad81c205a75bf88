// Small arrays on which a driver shows whether it computes rightly.
#pragma once

#include "glproc/gl/context.hpp"
#include "glproc/image/volume.hpp"

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

namespace glproc {

/// A job and what it is done to.
template <class Job>
struct Probe {
    Job job;
    std::vector<std::byte> source;
    std::vector<double> numbers; ///< that the job refers to
};

/// Values of the type that reveal faults: noise of every size, zeros of both signs, the smallest floats and
/// infinity.
std::vector<std::byte> probe_values(const VolumeForm& form);

/// Where programs have run that are not proved yet: throws WrongKernel unless `is_right`, which tries them on
/// small arrays.
void prove(Context& gpu, const std::function<bool()>& is_right);

/// Equal bits, or both not a number.
bool same_numbers(Number type, std::span<const std::byte> a, std::span<const std::byte> b);

} // namespace glproc
