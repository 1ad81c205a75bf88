// What frames of the result are, before an encoder has its say.
#pragma once

#include "glproc/op/pixel_shape.hpp"
#include "video/read/selection.hpp"
#include "video/read/source.hpp"
#include "video/read/video_info.hpp"
#include "video/read/video_reader.hpp"
#include "video/write/encoder.hpp"
#include "video/write/video_writer.hpp"

namespace glproc::video {

/// The aspect of pixels after operations; exact where they only turn.
AVRational reshaped(AVRational aspect, const PixelShape& shape);

/// Whether its frames consist of two fields.
bool is_interlaced(VideoReader& video);

/// As the video has them; `fields` says whether they may consist of two.
VideoFormat format_of_video(VideoReader& video, const FrameClock& clock, bool fields);

/// RGB or grey of their depth. An encoder that has none of that takes what comes nearest; with --matrix and
/// --range every one gets luma and chroma.
VideoFormat format_of_pictures(const Form& result, const CodeOverride& code, double rate);

/// The time of the frames that are read.
Span span_of(VideoReader& video, const Selection& selection);

/// A rate as the fraction that videos have.
AVRational rate_of(double frames_per_second);

/// The format of the result: 8 bits by BT.709, without metadata of HDR.
VideoFormat as_sdr(VideoFormat format);

} // namespace glproc::video
