// Crops, margins, mirror images and quarter turns of the planes of luma and chroma.
#pragma once

#include "glproc/kinds/gather/plan.hpp"
#include "glproc/op/by_planes.hpp"

#include <string_view>
#include <vector>

namespace glproc {

/// The plans, one after another, for a plane of frames whose luma is placed so. Samples keep their codes
/// wherever the result has samples at the same places. Elsewhere, as at odd offsets in 4:2:0, chroma is
/// interpolated. The border of a plane with fewer samples than luma may be clamp or constant.
std::vector<Plan> place_plane(const PlaneGrid& grid, const Placement& luma, std::string_view name,
                              GatherMethod method);

} // namespace glproc
