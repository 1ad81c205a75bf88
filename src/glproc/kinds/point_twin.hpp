// Point operations by the processor: their twins, over rows.
#pragma once

#include "glproc/image/rows.hpp"
#include "glproc/kinds/point.hpp"

#include <functional>
#include <memory>

namespace glproc {

/// Makes the result of a point operation, or of a run of them, with the bits of the kernel. The first row begins at pixel
/// `first` of the whole picture. Empty where there is no twin, as for a file of register_glsl(), or where a device computes the
/// parameters.
std::function<void(RowReader& source, RowWriter& to)> point_by_processor(const Form& form, std::shared_ptr<const Point> point,
                                                                         Int2 first = {0, 0});

} // namespace glproc
