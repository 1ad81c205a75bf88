// Exact Euclidean distances by the processor: the reference, and for rows that no texture has room for.
#pragma once

#include "glproc/image/image.hpp"
#include "glproc/kinds/host_mask.hpp"
#include "glproc/ops/distance/transform.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace glproc {

/// As DistanceTransform::ends().
SitesBeyond ends_on_cpu(const HostMask& sites, int origin);

/// The distances of one band, as a picture of floats row by row. `origin`: the picture's row that the band
/// begins with.
std::vector<float> distances_on_cpu(const HostMask& sites, int origin, const SitesBeyond& beyond,
                                    std::uint64_t most_square);

/// Makes the distances of pixels that are sites negative ones to pixels that are none.
void add_inner(std::span<float> distances, std::span<const float> inner);

} // namespace glproc
