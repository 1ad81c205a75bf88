// The measures of components as a table.
#pragma once

#include "glproc/op/table.hpp"
#include "glproc/ops/components.hpp"
#include "glproc/ops/components/columns.hpp"
#include "glproc/ops/components/measures.hpp"

#include <string>
#include <vector>

namespace glproc {

/// A row for each component, with its label first.
Table components_table(const std::vector<ComponentMeasure>& measures, MeasuredComponents components);

/// The table; as text also a line about all components together.
Report report_of(const Components& op, const std::string& name, const MeasuredComponents& components);

} // namespace glproc
