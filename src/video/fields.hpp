// Frames without the combs of interlaced ones: the lines of one field stay, those of the other are computed.
#pragma once

#include "glproc/image/image.hpp"
#include "video/source.hpp"

#include <memory>
#include <optional>

namespace glproc::video {

/// A plane of three frames in a row, and which field of the middle one stays. All have the same form.
struct FieldMoment {
    const Image& before;
    const Image& own;
    const Image& after;
    bool keeps_top;    ///< lines 0, 2, 4 …
    bool is_first;     ///< whether this field was taken before the other one of its frame
    bool alone = false; ///< other frames do not count: at the ends of a video
};

/// The whole frame of that field, for codes of so many bits. With the bits of FFmpeg's filter bwdif: cubic and linear filters along
/// columns (the coefficients of the BBC's w3fdif: J. Weston, UK patent 2191363), within bounds from the frames before and after (as
/// yadif has them).
Image frame_of_field(const FieldMoment& moment, int bits);

/// The frames of `source`, one of each, or one of each field and so twice as many. The field that comes first is what
/// each frame says of itself, or else the top one.
std::unique_ptr<FrameSource> without_fields(std::unique_ptr<FrameSource> source, bool each_field);

} // namespace glproc::video
