// Resizes pictures with two neighbouring columns per invocation: ResampleRoad::pairs.
#pragma once

#include "glproc/kinds/gather/resample.hpp"

namespace glproc {

/// Resizes along both axes in one pass. Returns false, with nothing done, if columns see too many pixels for
/// that. `rect` of the source is in `from`, `result` is to be in `to`.
bool run_strips(Context& gpu, const Resample& resample, const GpuImage& from, const Rect& rect, GpuImage& to,
                const Rect& result);

/// Resizes along x, into the values between the axes. `begin` and `first` are the columns where `from` and
/// `to` begin.
void run_across(Context& gpu, const Stretch& stretch, const GpuImage& from, int begin, GpuImage& to,
                int first);

} // namespace glproc
