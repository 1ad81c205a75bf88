// A video's file, opened for libavformat, which gets to see nothing else of the disk.
#pragma once

#include "video/av.hpp"
#include "video/read/video_info.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace glproc::video {

struct VideoOptions {
    CodeOverride code;
    bool alpha = false;            ///< read it as well, where the video has it
    bool keep_going = false;       ///< behind damage
    std::optional<int> track = {}; ///< of those of video, counted from 1; the best where none is named
    bool keep_packets = false;     ///< of the other streams, for take_packets()
    std::string device = {};       ///< what `path` is in place of a file, as libavdevice calls it: "v4l2"
    std::uint64_t max_pixels = std::uint64_t{1} << 30U; ///< width × height of a frame
    std::int64_t max_frames = 10'000'000;               ///< not of a device
    bool allow_playlists = false; ///< let the file have others read: HLS, DASH, ffconcat
};

/// Throws Error(input) where there is no such file, where it is no video, and for formats that name other
/// files unless they are allowed: an uploaded "video" of ninety bytes would deliver any other video on the
/// disk.
AvInput open_video_file(const std::string& path, const VideoOptions& options);

/// avformat_find_stream_info() with a limit for the decoders that it tries. Throws Error(input).
void find_streams(AVFormatContext& input, std::uint64_t max_pixels, const std::string& name);

/// Throws Error(input) for frames of more pixels than the limit.
void check_video_size(int width, int height, std::uint64_t max_pixels, const std::string& name);

/// The limit for libavcodec, which counts pixels that it pads frames with, and takes no more than an int.
std::int64_t av_limit(std::uint64_t max_pixels);

} // namespace glproc::video
