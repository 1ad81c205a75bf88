// The workloads of `bench histogram`.
#pragma once

#include "glproc/ops/histogram.hpp"

namespace glproc {

/// Its default size, and the ladder of its variants.
BenchInfo histogram_bench();

/// Counts by the variant of `op`; the counts stay where they were counted.
Workload histogram_workload(const Histogram& op, Context& gpu, const ImageInput& input);

/// Counts without atomics, to see how many counts a race loses.
Workload racy_workload(const Histogram& op, Context& gpu, const ImageInput& input);

} // namespace glproc
