// What `trim` would leave of an image, as a report.
#pragma once

#include "glproc/op/sweep.hpp"
#include "glproc/ops/trim.hpp"
#include "glproc/ops/trim/box.hpp"

#include <string>

namespace glproc {

constexpr Limit border_tolerance_limit{0, 1e30};
constexpr Limit trim_margin_limit{0, 1048576};

TrimBorder border_of(const Trim& op);

/// Throws Error(usage) for values out of range.
void check(const Trim& op, const Form& form);

/// The box with its margin. Throws Error(operation) where there is none.
Rect kept_part(const Trim& op, const Form& form, const Rect& box);

/// Looks at each row once, on the processor: that takes less time than any copy to a GPU.
SweepPlan trim_report_plan(const Trim& op, const Form& form);

/// Of a box that was found.
Report report_of(const Trim& op, const std::string& name, const Form& form, const Rect& box);

/// The same for pixels in memory.
Report trim_report(const Trim& op, const std::string& name, const Image& pixels);

} // namespace glproc
