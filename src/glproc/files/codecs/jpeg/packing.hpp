// How a JPEG is packed: its quality, the resolution of its colour, its density.
#pragma once

#include "glproc/files/codec.hpp"

#include <cstdio> // jpeglib.h needs FILE
#include <optional>

#include <jpeglib.h>

namespace glproc::codecs {

/// Of a file whose header is read. The quality is the one whose tables are nearest to those of the file.
JpegPacking packing_of(const jpeg_decompress_struct& jpeg);

/// What the file's own header says; nothing where it says nothing.
std::optional<Density> density_of(const jpeg_decompress_struct& jpeg);

/// Sets up an encoder that has its defaults: what `options` ask for, else what the picture's source had, else
/// quality 90, and colour at half the resolution below that quality.
void set_packing(jpeg_compress_struct& jpeg, const EncodeOptions& options, const Metadata& metadata);

} // namespace glproc::codecs
