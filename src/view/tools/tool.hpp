// What the pointer does in the picture, apart from moving it.
#pragma once

#include <string>

namespace glproc::view {

enum class ToolKind {
    part,    ///< drags a part of the picture, the value of a field
    turn,    ///< turns the picture about its middle
    corners, ///< drags four corners
    second,  ///< drags the second picture that the step lays on the picture, and its corners
    black, ///< takes the level that is to become black from a pixel
    white,
    grey,   ///< chooses gamma so that a pixel becomes a middle grey
    region, ///< measures a region of the result
    line,   ///< shows the values along a line of the result
};

struct Tool {
    ToolKind kind = ToolKind::region;
    int step = 0; ///< the id of the step that it is for; 0 of those that only measure
    std::string field = {};
    bool operator==(const Tool&) const = default;
};

} // namespace glproc::view
