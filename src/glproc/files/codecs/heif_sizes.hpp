// How large the pictures in a HEIF or AVIF file are as they are coded, whatever its boxes say of them.
#pragma once

#include "glproc/files/codecs/codecs.hpp"

namespace glproc::codecs {

/// Throws Error(input) where images are made of one another in circles, or of more parts than the file accounts for.
/// libheif before 1.16 follows them until its stack or the user's patience ends.
void check_heif_references(const Source& source);

/// The same, and throws Error(input) where a picture is coded with more pixels than source.max_pixels. libheif believes the
/// box `ispe`, and the decoders of AV1 and HEVC then take memory for what is really there.
void check_heif_sizes(const Source& source);

} // namespace glproc::codecs
