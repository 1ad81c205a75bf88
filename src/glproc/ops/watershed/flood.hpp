// Watersheds in CPU memory: how markers flood a picture, and where markers are.
#pragma once

#include "glproc/kinds/host_mask.hpp"
#include "glproc/ops/components/labelling.hpp"

#include <cstdint>
#include <vector>

namespace glproc {

/// A picture as land, row by row. NaN is as high as land can be.
struct Terrain {
    int width = 0;
    int height = 0;
    std::vector<float> heights = {};
    Connectivity connectivity = Connectivity::four;
};

/// A number for each pixel, row by row; 0 is none.
using Basins = std::vector<std::uint32_t>;

/// Marks pixels that are never flooded.
inline constexpr std::uint32_t dry = ~0U;

/// Floods from the markers. On entry `basins` has the numbers of the markers; afterwards every pixel that a
/// way leads to has one, and pixels that are `dry` stay so.
///
/// A pixel's cost is the highest value on the way from its marker, then the steps since that value was
/// reached. Each pixel takes the least cost that a neighbour gives it. Of several such neighbours it follows
/// the one with the least cost, and of equal ones the one with the smallest number. So there is exactly one
/// solution. Source: R. Lotufo, A. Falcao, The ordered queue and
/// the optimality of the watershed approaches, Mathematical Morphology and its Applications, 2000.
void flood(const Terrain& terrain, Basins& basins);

/// Numbers the minima, plateaus without a lower neighbour, by their first pixels, row by row. Pixels that are
/// `dry` have none, and part a plateau.
void mark_minima(const Terrain& terrain, Basins& basins);

/// Takes away the marks of minima from which a way to a deeper one climbs less than `least`, and numbers the
/// others anew. Minima whose way climbs to `top` stay in any case: no way leads out of them.
void drop_shallow_minima(const Terrain& terrain, double least, float top, Basins& basins);

} // namespace glproc
