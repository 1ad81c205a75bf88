// How large the pictures in a HEIF or AVIF file are as they are coded, whatever its boxes say of them.
#pragma once

#include "glproc/files/codecs/codecs.hpp"

namespace glproc::codecs {

/// Throws Error(input) where a picture is coded with more pixels than source.max_pixels. libheif believes the
/// box `ispe`, and the decoders of AV1 and HEVC then take memory for what is really there.
void check_heif_sizes(const Source& source);

} // namespace glproc::codecs
