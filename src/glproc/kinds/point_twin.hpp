// Point operations by the processor: their twins, over rows.
#pragma once

#include "glproc/image/rows.hpp"
#include "glproc/kinds/point.hpp"
#include "glproc/kinds/twin.hpp"

#include <functional>

namespace glproc {

/// Makes the result of a point operation, or of a run of them, with the bits of the kernel. Empty where this build has no twin
/// of one of them, or where a device computes the parameters.
std::function<void(RowReader& source, RowWriter& to)> point_by_processor(const Form& source, const Point& point);

} // namespace glproc
