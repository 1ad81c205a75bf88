// Operations on the planes of luma and chroma of a video, without RGB in between.
//
// A front end that has the planes asks for a plan for each. Results differ from those in RGB: colours outside RGB are kept, and
// roundings differ. Operations that move or mix pixels alike in all planes take part.
#pragma once

#include "glproc/op/over_time.hpp"
#include "glproc/op/plan.hpp"

#include <functional>

namespace glproc {

/// How the samples of a plane lie among luma's.
struct PlaneGrid {
    Form luma;      ///< of the luma plane of these frames
    int across = 1; ///< samples of luma for one of this plane
    int down = 1;
    bool centred_across = false; ///< between two of luma, not on the first of them
    bool centred_down = false;

    /// Of this plane.
    Form form() const { return {(luma.width + across - 1) / across, (luma.height + down - 1) / down, 1, luma.depth}; }
};

/// How an operation of the registry works on a plane. `call` is made by its OpInfo. Throws Error(usage) for parameters that it does not
/// take.
struct ByPlanes {
    std::function<Plan(const Operation& call, const PlaneGrid& grid)> plan;
};

} // namespace glproc
