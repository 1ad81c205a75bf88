// What a call says of volumes.
#pragma once

#include <map>
#include <optional>
#include <string>

namespace glproc::job {

/// The images along an axis of a stack are worked on as one.
struct VolumeAsked {
    std::optional<char> along = 'z';           ///< z, c or t; nothing: all images of the file
    bool by_units = false;                     ///< lengths are in the file's unit, not in pixels
    std::map<std::string, double> across = {}; ///< as VolumeCall has it
};

} // namespace glproc::job
