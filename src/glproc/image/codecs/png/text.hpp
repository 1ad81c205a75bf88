// Texts in PNG files: tEXt, zTXt and iTXt. https://www.w3.org/TR/png-3/#11textinfo
#pragma once

#include "glproc/image/codecs/png/chunks.hpp"

#include <optional>
#include <vector>

namespace glproc::codecs {

/// What a zlib stream holds, if it is whole and not larger than `most` bytes.
std::optional<std::vector<std::byte>> inflate_block(ByteView packed, std::size_t most);

/// Whether a chunk of this type holds a text.
bool is_png_text(std::string_view type);

/// Takes in what such a chunk says: a text, XMP, or one of ImageMagick's "Raw profile type" texts, of
/// which EXIF, XMP and ICC profiles are taken where the file has none as it should.
void read_png_text(const Source& source, std::string_view type, ByteView data, Metadata& metadata);

/// The chunks of all texts, and of XMP.
void put_png_texts(std::vector<std::byte>& out, const Metadata& metadata);

} // namespace glproc::codecs
