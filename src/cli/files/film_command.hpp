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
enum class FilmCodec { h264, h265, vp9, av1, ffv1, prores };

inline constexpr Limit crf_limit{0, 63};
inline constexpr Limit every_limit{1, 1 << 20};
inline constexpr Limit fps_limit{0.001, 1000};

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

/// The one that a name ends in, in small or capital letters; null where it is none of them.
const FilmContainer* film_container_of(const std::string& path);

Command film_command();

/// Whether a file of this name is a film that glproc-video writes.
bool names_film(const std::string& path);

/// A hint for where a film was given to a command for pictures.
std::string film_hint(const std::string& command);

} // namespace cli

template <>
inline constexpr std::array<EnumRow<cli::FilmCodec>, 6> enum_rows<cli::FilmCodec>{{
    {cli::FilmCodec::h264, "h264", "plays everywhere"},
    {cli::FilmCodec::h265, "h265", "smaller files, slower to encode"},
    {cli::FilmCodec::vp9, "vp9", "for the web"},
    {cli::FilmCodec::av1, "av1", "smallest files"},
    {cli::FilmCodec::ffv1, "ffv1", "lossless, for archives; in mkv"},
    {cli::FilmCodec::prores, "prores", "for editing; in mov"},
}};

} // namespace glproc
