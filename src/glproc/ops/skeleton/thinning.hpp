// Thinning of masks: passes that remove pixels by their neighbours.
#pragma once

#include "glproc/kinds/host_mask.hpp"
#include "glproc/ops/skeleton.hpp"

#include <array>
#include <cstdint>

namespace glproc {

/// Whether a pixel goes, for each of 256 neighbourhoods: bit 0 is the pixel above, and so on clockwise.
using ThinningTable = std::array<std::uint32_t, 8>;

/// The tables of the two passes that take turns.
std::array<ThinningTable, 2> thinning_tables(SkeletonRule rule);

/// The mask once no pass changes it.
HostMask thin(HostMask mask, SkeletonRule rule);
MaskBits thin(Context& gpu, MaskBits mask, SkeletonRule rule);

} // namespace glproc
