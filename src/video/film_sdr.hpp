// --to-sdr: HDR and wide-gamut videos for screens of standard range.
#pragma once

#include "cli/arguments.hpp"
#include "glproc/kinds/hdr.hpp"
#include "video/encoder.hpp"
#include "video/film_info.hpp"
#include "video/hdr_metadata.hpp"

#include <optional>

namespace glproc::video {

/// What --to-sdr does to the frames of this video: sdr_look_of(), with the peak that --hdr-peak says. Nothing without it. Throws
/// Error(usage).
std::optional<ToSdr> sdr_conversion(const cli::Arguments& arguments, const FilmInfo& info, const HdrMetadata& hdr);

/// The format of the result: 8 bits by BT.709, without metadata of HDR.
FilmFormat as_sdr(FilmFormat format);

} // namespace glproc::video
