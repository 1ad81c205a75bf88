// `glproc video`: how the command is described; the program glproc-video does its work.
#pragma once

#include "cli/commands.hpp"
#include "glproc/op/field.hpp"

#include <array>
#include <string>
#include <string_view>

namespace glproc {

namespace cli {

/// How films are encoded.
enum class FilmCodec { h264, h265, vp9, av1, ffv1, prores, qtrle };

/// What becomes of sound. Without one of them it is copied where the format holds it.
enum class FilmSound { copy, none, aac, opus, mp3, ac3, flac, vorbis, pcm };

inline constexpr Limit crf_limit{0, 63};
inline constexpr Limit film_depth_limit{8, 16};
inline constexpr Limit track_limit{1, 1000};
inline constexpr Limit every_limit{1, 1 << 20};
inline constexpr Limit fps_limit{0.001, 1000};

/// What --deinterlace makes of a frame with two fields.
enum class FilmFields { frame, field };

/// What operations work on.
enum class FilmValues { rgb, yuv };

/// A container that holds nothing, for measuring: --format null.
inline constexpr std::string_view null_container = "null";

/// The ends of names that are known, and what such videos usually hold.
struct FilmContainer {
    std::string_view end;
    FilmCodec codec;
};

inline constexpr std::array film_containers{
    FilmContainer{"mp4", FilmCodec::h264}, FilmContainer{"m4v", FilmCodec::h264},
    FilmContainer{"mov", FilmCodec::h264}, FilmContainer{"mkv", FilmCodec::h264},
    FilmContainer{"webm", FilmCodec::vp9}, FilmContainer{"ts", FilmCodec::h264},
    FilmContainer{"nut", FilmCodec::ffv1}};

/// What a name ends in, in small letters and without its dot.
std::string end_of_name(const std::string& path);

/// The one of this end of names; null where it is none of them.
const FilmContainer* find_film_container(std::string_view end);

/// The one that a name ends in, in small or capital letters; null where it is none of them.
const FilmContainer* film_container_of(const std::string& path);

Command film_command();

/// Whether a file of this name is a film that glproc-video writes.
bool names_film(const std::string& path);

/// A hint for where a film was given to a command for pictures.
std::string film_hint(const std::string& command);

} // namespace cli

template <>
inline constexpr std::array<EnumRow<cli::FilmFields>, 2> enum_rows<cli::FilmFields>{{
    {cli::FilmFields::frame, "frame", "one frame of each"},
    {cli::FilmFields::field, "field", "one of each field: twice as many, and smoother"},
}};

template <>
inline constexpr std::array<EnumRow<cli::FilmValues>, 2> enum_rows<cli::FilmValues>{{
    {cli::FilmValues::rgb, "rgb", "red, green and blue, as for images"},
    {cli::FilmValues::yuv, "yuv",
     "luma and chroma as they are stored, which is faster: blur, median, resize, unsharp, crop, pad, flip "
     "and rotate by right angles"},
}};

template <>
inline constexpr std::array<EnumRow<cli::FilmCodec>, 7> enum_rows<cli::FilmCodec>{{
    {cli::FilmCodec::h264, "h264", "plays everywhere"},
    {cli::FilmCodec::h265, "h265", "smaller files, slower to encode"},
    {cli::FilmCodec::vp9, "vp9", "for the web"},
    {cli::FilmCodec::av1, "av1", "smallest files"},
    {cli::FilmCodec::ffv1, "ffv1", "lossless, for archives; in mkv"},
    {cli::FilmCodec::prores, "prores", "for editing; in mov"},
    {cli::FilmCodec::qtrle, "qtrle", "lossless RGB with alpha, for graphics; in mov"},
}};

template <>
inline constexpr std::array<EnumRow<cli::FilmSound>, 9> enum_rows<cli::FilmSound>{{
    {cli::FilmSound::copy, "copy", "as it is; an error where OUT cannot hold it"},
    {cli::FilmSound::none, "none", "left out"},
    {cli::FilmSound::aac, "aac", "plays everywhere"},
    {cli::FilmSound::opus, "opus", "best for its size; for webm and mkv"},
    {cli::FilmSound::mp3, "mp3", "for old players"},
    {cli::FilmSound::ac3, "ac3", "for surround receivers"},
    {cli::FilmSound::flac, "flac", "lossless, compressed"},
    {cli::FilmSound::vorbis, "vorbis", "for old browsers, in webm"},
    {cli::FilmSound::pcm, "pcm", "lossless, for editing; in mov and mkv"},
}};

} // namespace glproc
