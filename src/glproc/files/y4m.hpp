// YUV4MPEG2, as ffmpeg and mplayer write video to pipes: a line of text, then frames of planes.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace glproc {

struct Y4mHeader {
    int width = 0;
    int height = 0;
    int bits = 8;   ///< a sample, of 9 and more two bytes
    int across = 2; ///< samples of luma for one of colour, 1 or 2
    int down = 2;
    bool centred_across = false; ///< a sample of colour lies between two of luma, not on the first of them
    bool centred_down = false;
    std::optional<bool> full_range; ///< where the stream says so
    std::vector<std::string>
        parameters; ///< all but the size, as they were: rate, aspect, interlacing, colours
};

/// How a stream begins.
inline constexpr std::string_view y4m_magic = "YUV4MPEG2";

/// The first line, without its end. Throws Error(input), "name: reason".
Y4mHeader parse_y4m(std::string_view line, std::string_view name);

/// The first line of a stream with this header, and its end.
std::string format_y4m(const Y4mHeader& header);

} // namespace glproc
