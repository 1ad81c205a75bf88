// Phones store frames as the sensor lies and say how to turn them. Everything here sees them upright.
#pragma once

#include "glproc/kinds/gather/plan.hpp"
#include "video/av.hpp"
#include "video/machine.hpp"

namespace glproc::video {

/// How stored frames become upright: turned clockwise, then mirrored.
struct Turn {
    int degrees = 0;       ///< 0, 90, 180 or 270
    bool mirrored = false; ///< left to right

    bool is_upright() const { return degrees == 0 && !mirrored; }
    bool exchanges_axes() const { return degrees % 180 != 0; }
    /// The form of upright frames, and the shape of their pixels, for those of stored ones.
    Form of(Form stored) const;
    AVRational of(AVRational pixel_aspect) const;

    bool operator==(const Turn&) const = default;
};

/// What a stream says of its frames, to the nearest quarter turn.
Turn turn_of(const AVStream& stream);

/// How pixels of a stored frame are placed in an upright one.
Placement placement_of(const Turn& turn, const Form& stored);

Picture upright(const Machine& machine, Picture stored, const Turn& turn);

/// The first rows and columns of a picture.
Picture first_of(const Machine& machine, const Picture& picture, int width, int height);

} // namespace glproc::video
