// Pictures of another size, two neighbouring columns by each invocation: ResampleRoad::pairs.
#pragma once

#include "glproc/kinds/gather/resample.hpp"

namespace glproc {

/// Both axes in one pass; false, with nothing done, where columns see too much for it. `rect` of the source
/// is in `from`, `result` is to be in `to`.
bool run_strips(Context& gpu, const Resample& resample, const GpuImage& from, const Rect& rect, GpuImage& to,
                const Rect& result);

/// Along x, into what lies between the axes. `begin` and `first` are the columns where `from` and `to` begin.
void run_across(Context& gpu, const Stretch& stretch, const GpuImage& from, int begin, GpuImage& to,
                int first);

} // namespace glproc
