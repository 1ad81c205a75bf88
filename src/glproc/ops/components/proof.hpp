// Proves and times the kernels of components, by the answers of the processor.
#pragma once

#include "glproc/op/workload.hpp"
#include "glproc/ops/components.hpp"

namespace glproc {

/// Times the labels and the sums of all components, as long as they stay on the GPU.
Workload timed_workload(const Components& op, Context& gpu, const ImageInput& input);

/// Throws WrongKernel, as prove_on_picture() does.
void prove_components(Context& gpu, const Components& op, const Form& form);

} // namespace glproc
