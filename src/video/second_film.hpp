// A video as the second image of an operation: with each frame of the first one it goes on by a frame.
#pragma once

#include "cli/arguments.hpp"
#include "glproc/op/field.hpp"
#include "glproc/op/op.hpp"
#include "job/first_profile.hpp"
#include "video/film_reader.hpp"

#include <vector>

namespace glproc::video {

class SecondFilm {
  public:
    /// `input` then has a picture of the right form. Throws Error(input).
    SecondFilm(PictureInput& input, const FilmOptions& options);

    /// Gives the operation the next frame, upright; after the end it keeps the last one.
    void advance(const Machine& machine);

  private:
    PictureInput* input_;
    FilmReader film_;
};

/// Opens the second pictures that are videos, and reads all others, as read_second_pictures() for frames of these colours; its notes
/// are added.
std::vector<SecondFilm> read_second_films(Operation& operation, const cli::Arguments& arguments, const cli::FirstProfile& frames, Notes& notes);

} // namespace glproc::video
