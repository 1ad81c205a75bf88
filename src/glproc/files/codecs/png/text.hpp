// Texts in PNG files: tEXt, zTXt and iTXt. https://www.w3.org/TR/png-3/#11textinfo
#pragma once

#include "glproc/files/codecs/png/chunks.hpp"

#include <optional>
#include <vector>

namespace glproc::codecs {

/// What all the metadata of a file may cost together, because each of its chunks could ask for the most
/// again.
struct PngBudget {
    std::size_t unpacked = std::size_t{1} << 26U; ///< bytes that zlib streams may hold, sound or not
    std::size_t text = std::size_t{1} << 24U;     ///< bytes of all texts
    int texts = 1000;                             ///< as many as libpng keeps
};

/// What a zlib stream holds, if it is whole and not larger than `most` bytes and what is left of the budget.
std::optional<std::vector<std::byte>> inflate_block(ByteView packed, std::size_t most, PngBudget& budget);

/// Whether a chunk of this type holds a text.
bool is_png_text(std::string_view type);

/// Takes in what such a chunk says: a text, XMP, or one of ImageMagick's "Raw profile type" texts, of
/// which EXIF, XMP, IPTC and ICC profiles are taken where the file has none as it should.
void read_png_text(const Source& source, std::string_view type, ByteView data, Metadata& metadata,
                   PngBudget& budget);

/// The chunks of all texts, and of XMP and IPTC.
void put_png_texts(std::vector<std::byte>& out, const Metadata& metadata);

} // namespace glproc::codecs
