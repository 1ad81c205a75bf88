// How `bench` measures separable filters.
#pragma once

#include "glproc/kinds/separable/separable.hpp"
#include "glproc/op/workload.hpp"

#include <optional>
#include <string>

namespace glproc {

/// As why_unavailable(); and `cpu` is left out where it would take minutes.
std::optional<std::string> why_not_measured(Context& gpu, const ImageInput& input,
                                            const SeparableFilter& filter);

Workload separable_workload(Context& gpu, const ImageInput& input, const SeparableFilter& filter);

} // namespace glproc
