#include "support/band_plan.hpp"

#include <algorithm>

namespace glproc::test {

SweepPlan in_bands_of(int rows, SweepPlan plan) {
    const int width = plan.source.width;
    plan.needs = [width, rows](Context& gpu) {
        const TileRoom room = room_of(gpu);
        return TileNeeds{.what = "bands",
                         .grain = {width, 1},
                         .pixel_bytes = std::min(room.bytes, room.tile_bytes) / (width * (rows + 0.5))};
    };
    return plan;
}

} // namespace glproc::test
