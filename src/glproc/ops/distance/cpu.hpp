// Exact distances by the processor: the reference, and for rows that no texture has room for.
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

/// Of each pixel of a band, row by row: its distance, and if the form has sites the column and row of the
/// nearest one, as Distances has them.
struct HostDistances {
    std::vector<float> values = {};
    std::vector<std::uint32_t> sites = {};
};

/// The distances of one band. `origin`: the picture's row that the band begins with.
HostDistances distances_on_cpu(const HostMask& sites, int origin, const SitesBeyond& beyond,
                               const DistanceForm& form);

/// Makes the distances of pixels that are sites negative ones to pixels that are none.
void add_inner(std::span<float> distances, std::span<const float> inner);

} // namespace glproc
