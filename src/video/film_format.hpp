// What frames of the result are, before an encoder has its say.
#pragma once

#include "glproc/op/pixel_shape.hpp"
#include "video/encoder.hpp"
#include "video/film_reader.hpp"
#include "video/film_writer.hpp"
#include "video/selection.hpp"
#include "video/source.hpp"

namespace glproc::video {

/// The aspect of pixels after operations; exact where they only turn.
AVRational reshaped(AVRational aspect, const PixelShape& shape);

/// Whether its frames consist of two fields.
bool is_interlaced(FilmReader& film);

/// As the film has them; `fields` says whether they may consist of two.
FilmFormat format_of_film(FilmReader& film, const FrameClock& clock, bool fields);

/// RGB or grey of their depth. An encoder that has none of that takes what comes nearest; with --matrix and
/// --range every one gets luma and chroma.
FilmFormat format_of_pictures(const Form& result, const CodeOverride& code, double rate);

/// The time of the frames that are read.
Span span_of(FilmReader& film, const Selection& selection);

/// A rate as the fraction that films have.
AVRational rate_of(double frames_per_second);

} // namespace glproc::video
