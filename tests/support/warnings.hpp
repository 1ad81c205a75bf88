// What the context of the tests has warned of.
#pragma once

#include <string>
#include <vector>

namespace glproc::test {

/// Kernels that gpu() takes for wrong, and lets other methods do their work: results are then right, and say nothing of the kernel.
const std::vector<std::string>& gpu_warnings();

} // namespace glproc::test
