// Which frames of a video: --frames, --every, --frame.
#pragma once

#include "cli/arguments.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace glproc::video {

struct Selection {
    std::int64_t first = 0;
    std::optional<std::int64_t> last; ///< included
    std::int64_t every = 1;
    bool one = false;              ///< frame, as a picture
    std::optional<double> seconds; ///< when that one is shown, in place of its number `first`
    std::optional<double> share;   ///< of the way from the first frame to the last, the same: 0 to 1

    std::optional<double> from; ///< seconds, in place of `first`
    std::optional<double> to;   ///< the same in place of `last`: frames that begin before it

    /// With the number of the frame that `share` means, among `count`.
    Selection of_count(std::int64_t count) const;

    bool is_all() const { return first == 0 && !last && !one && !from && !to; }
    /// Of the frames of a video of `count`, how many.
    std::int64_t count_of(std::int64_t count) const;
};

class VideoReader;

/// With numbers of frames instead of times. Only for times the video is read to its end, once. Throws
/// Error(input) if there is no frame.
Selection by_numbers(Selection selection, VideoReader& video);

/// The seconds that a flag gives. Throws Error(usage).
double read_time(const cli::Arguments& arguments, const std::string& flag);

/// Throws Error(usage).
Selection read_selection(const cli::Arguments& arguments);

} // namespace glproc::video
