// What a TIFF file says besides its pixels.
#pragma once

#include "glproc/files/codecs/tiff/layout.hpp"

namespace glproc::codecs {

/// Of the current directory.
Metadata read_tiff_metadata(const Source& source, const TiffReader& reader);

/// Sets the tags, and writes what they point to; no pixels must have been written yet.
void set_tiff_metadata(TiffFile& file, const Metadata& metadata);

} // namespace glproc::codecs
