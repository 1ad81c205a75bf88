#include "support/band_plan.hpp"

namespace glproc::test {

SweepPlan in_bands_of(int rows, SweepPlan plan) {
    const int width = plan.source.width;
    plan.needs = [width, rows](Context& gpu) {
        return TileNeeds{
            .what = "bands", .grain = {width, 1}, .pixel_bytes = room_of(gpu).bytes / (width * (rows + 0.5))};
    };
    return plan;
}

} // namespace glproc::test
