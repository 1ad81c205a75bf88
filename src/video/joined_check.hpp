// Whether films can follow each other, and if not, the call that changes that.
#pragma once

#include "video/film_reader.hpp"

#include <string>

namespace glproc::video {

/// Throws Error(input) where the frames of `film` are not as those of the first one.
void check_frames(const FilmReader& first, const FilmReader& film);

/// A hint: what gives them sound of one form. AAC is what every encoder writes alike. `a` is of the first
/// film.
std::string way_to_sound(const FilmReader& first, const FilmReader& film, const AVCodecParameters& a,
                         const AVCodecParameters& b);

} // namespace glproc::video
