// A filter applied to components that were measured.
#pragma once

#include "glproc/ops/components/columns.hpp"
#include "glproc/ops/components/keep.hpp"

#include <cstddef>
#include <functional>
#include <vector>

namespace glproc {

std::vector<ComponentMeasure> measures_of(const ComponentFilter& filter);

/// Throws Error(usage) where the filter of a call has a measure that its table cannot have.
void check_filter(const Components& op);

/// Whether the filter keeps a component, by its place. Both must outlive the result.
std::function<bool(std::size_t)> filter_of(const ComponentFilter& filter, const MeasuredComponents& all);

} // namespace glproc
