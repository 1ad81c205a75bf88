// How a screen of standard range shows a video.
#pragma once

#include "glproc/kinds/hdr.hpp"
#include "video/film_info.hpp"
#include "video/hdr_metadata.hpp"

#include <optional>

namespace glproc::video {

/// Tone mapping and conversion of the frames, as RGB; nothing for videos that are SDR of usual colours. The peak of PQ is what the
/// metadata say: the brightest pixel, or else the screen.
std::optional<ToSdr> sdr_look_of(const FilmInfo& info, const HdrMetadata& hdr);

} // namespace glproc::video
