// `glproc video`: how the command is described; the program glproc-video does its work.
#pragma once

#include "cli/commands.hpp"
#include "glproc/op/field.hpp"

#include <array>
#include <string>
#include <string_view>

namespace glproc {

namespace cli {

/// How videos are encoded.
enum class VideoCodec { h264, h265, vp9, av1, ffv1, prores, qtrle };

/// What becomes of sound. Without one of them it is copied where the format holds it.
enum class VideoSound { copy, none, aac, opus, mp3, ac3, flac, vorbis, pcm };

inline constexpr Limit crf_limit{0, 63};
inline constexpr Limit video_depth_limit{8, 16};
inline constexpr Limit track_limit{1, 1000};
inline constexpr Limit every_limit{1, 1 << 20};
inline constexpr Limit fps_limit{0.001, 1000};

/// What --deinterlace makes of a frame with two fields.
enum class VideoFields { frame, field };

/// What operations work on.
enum class VideoValues { rgb, yuv };

/// A container that holds nothing, for measuring: --format null.
inline constexpr std::string_view null_container = "null";

/// The ends of names that are known, and what such videos usually hold.
struct VideoContainer {
    std::string_view end;
    VideoCodec codec;
};

inline constexpr std::array video_containers{
    VideoContainer{"mp4", VideoCodec::h264}, VideoContainer{"m4v", VideoCodec::h264},
    VideoContainer{"mov", VideoCodec::h264}, VideoContainer{"mkv", VideoCodec::h264},
    VideoContainer{"webm", VideoCodec::vp9}, VideoContainer{"ts", VideoCodec::h264},
    VideoContainer{"nut", VideoCodec::ffv1}};

/// What a name ends in, in small letters and without its dot.
std::string end_of_name(const std::string& path);

/// The one of this end of names; null where it is none of them.
const VideoContainer* find_video_container(std::string_view end);

/// The one that a name ends in, in small or capital letters; null where it is none of them.
const VideoContainer* video_container_of(const std::string& path);

Command video_command();

/// Whether a file of this name is a video that glproc-video writes.
bool names_video(const std::string& path);

/// A hint for where a video was given to a command for pictures.
std::string video_hint(const std::string& command);

} // namespace cli

template <>
inline constexpr std::array<EnumRow<cli::VideoFields>, 2> enum_rows<cli::VideoFields>{{
    {cli::VideoFields::frame, "frame", "one frame of each"},
    {cli::VideoFields::field, "field", "one of each field: twice as many, and smoother"},
}};

template <>
inline constexpr std::array<EnumRow<cli::VideoValues>, 2> enum_rows<cli::VideoValues>{{
    {cli::VideoValues::rgb, "rgb", "red, green and blue, as for images"},
    {cli::VideoValues::yuv, "yuv",
     "luma and chroma as they are stored, which is faster: blur, median, resize, unsharp, crop, pad, flip "
     "and rotate by right angles"},
}};

template <>
inline constexpr std::array<EnumRow<cli::VideoCodec>, 7> enum_rows<cli::VideoCodec>{{
    {cli::VideoCodec::h264, "h264", "plays everywhere"},
    {cli::VideoCodec::h265, "h265", "smaller files, slower to encode"},
    {cli::VideoCodec::vp9, "vp9", "for the web"},
    {cli::VideoCodec::av1, "av1", "smallest files"},
    {cli::VideoCodec::ffv1, "ffv1", "lossless, for archives; in mkv"},
    {cli::VideoCodec::prores, "prores", "for editing; in mov"},
    {cli::VideoCodec::qtrle, "qtrle", "lossless RGB with alpha, for graphics; in mov"},
}};

template <>
inline constexpr std::array<EnumRow<cli::VideoSound>, 9> enum_rows<cli::VideoSound>{{
    {cli::VideoSound::copy, "copy", "as it is; an error where OUT cannot hold it"},
    {cli::VideoSound::none, "none", "left out"},
    {cli::VideoSound::aac, "aac", "plays everywhere"},
    {cli::VideoSound::opus, "opus", "best for its size; for webm and mkv"},
    {cli::VideoSound::mp3, "mp3", "for old players"},
    {cli::VideoSound::ac3, "ac3", "for surround receivers"},
    {cli::VideoSound::flac, "flac", "lossless, compressed"},
    {cli::VideoSound::vorbis, "vorbis", "for old browsers, in webm"},
    {cli::VideoSound::pcm, "pcm", "lossless, for editing; in mov and mkv"},
}};

} // namespace glproc
