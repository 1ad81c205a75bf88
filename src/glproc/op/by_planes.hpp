// Operations on the planes of luma and chroma of a video, without RGB in between.
//
// A front end that has the planes asks for a plan for each. Results differ from those in RGB: colours outside RGB are kept, and
// roundings differ. Operations that move or mix pixels alike in all planes take part.
#pragma once

#include "glproc/base/covering.hpp"
#include "glproc/image/colour.hpp"
#include "glproc/op/over_time.hpp"
#include "glproc/op/plan.hpp"

#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace glproc {

/// How the samples of a plane lie among luma's.
struct PlaneGrid {
    Form luma;      ///< of the luma plane of these frames
    int across = 1; ///< samples of luma for one of this plane
    int down = 1;
    bool centred_across = false; ///< between two of luma, not on the first of them
    bool centred_down = false;
    bool turns_siting = false; ///< whether a quarter turn also turns where chroma lies; otherwise chroma is
                               ///< interpolated there
    std::function<int(const Colour&)> code_of = {}; ///< of a colour, in this plane

    /// Of this plane.
    Form form() const { return {covering(luma.width, across), covering(luma.height, down), 1, luma.depth}; }

    /// After an operation with this result of the luma plane.
    PlaneGrid then(const Form& result, bool turned) const {
        PlaneGrid grid = *this;
        grid.luma = result;
        if (turned && turns_siting && across == down) {
            std::swap(grid.centred_across, grid.centred_down);
        }
        return grid;
    }
};

/// How an operation of the registry works on a plane. `call` is made by its OpInfo.
struct ByPlanes {
    /// The plans that make a plane, one after another. Throws Error(usage) for parameters that it does not
    /// take.
    std::function<std::vector<Plan>(const Operation& call, const PlaneGrid& grid)> plans;
    /// Whether pixels keep their values and only change places, so that planes give what a person expects.
    std::function<bool(const Operation& call)> only_places;
    std::string places_by = {}; ///< the parameter that decides it, if one does
};

} // namespace glproc
