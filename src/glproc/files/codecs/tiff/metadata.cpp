// https://www.itu.int/itudoc/itu-t/com16/tiff-fx/docs/tiff6.pdf, sections 8 and 12; Adobe's TIFF technical
// notes for XMP, the ICC specification for profiles.
#include "glproc/files/codecs/tiff/metadata.hpp"

#include "glproc/base/covering.hpp"
#include "glproc/files/codecs/tiff/exif.hpp"

#include <array>
#include <cmath>

namespace glproc::codecs {
namespace {

struct TextTag {
    std::uint32_t tag;
    std::string_view name;
};

constexpr std::array text_tags{
    TextTag{TIFFTAG_IMAGEDESCRIPTION, description_text},
    TextTag{TIFFTAG_DOCUMENTNAME, "Title"},
    TextTag{TIFFTAG_ARTIST, "Author"},
    TextTag{TIFFTAG_COPYRIGHT, "Copyright"},
    TextTag{TIFFTAG_SOFTWARE, "Software"},
};

std::optional<Density> read_density(const TiffReader& reader) {
    float x = 0;
    float y = 0;
    if (TIFFGetField(reader.tiff(), TIFFTAG_XRESOLUTION, &x) != 1 ||
        TIFFGetField(reader.tiff(), TIFFTAG_YRESOLUTION, &y) != 1 || !std::isfinite(x) || !std::isfinite(y) ||
        !(x > 0) || !(y > 0))
        return std::nullopt;
    const auto unit = reader.field(TIFFTAG_RESOLUTIONUNIT, std::uint16_t{RESUNIT_INCH});
    return Density{x, y,
                   unit == RESUNIT_CENTIMETER ? Density::Unit::centimetre
                   : unit == RESUNIT_NONE     ? Density::Unit::none
                                              : Density::Unit::inch};
}

void set_density(TIFF* tiff, const Density& density) {
    const Density stored = density.unit == Density::Unit::metre ? density.in(Density::Unit::inch) : density;
    TIFFSetField(tiff, TIFFTAG_XRESOLUTION, stored.x);
    TIFFSetField(tiff, TIFFTAG_YRESOLUTION, stored.y);
    TIFFSetField(tiff, TIFFTAG_RESOLUTIONUNIT,
                 stored.unit == Density::Unit::none         ? RESUNIT_NONE
                 : stored.unit == Density::Unit::centimetre ? RESUNIT_CENTIMETER
                                                            : RESUNIT_INCH);
}

/// A comment stands where other formats have it, if there is no description.
const std::string* text_for(const Metadata& metadata, std::string_view name) {
    const std::string* text = find_text(metadata, name);
    return text == nullptr && name == description_text ? find_text(metadata, comment_text) : text;
}

/// Tags that hold blocks of bytes.
void set_block(TIFF* tiff, std::uint32_t tag, const std::vector<std::byte>& block) {
    if (!block.empty())
        TIFFSetField(tiff, tag, static_cast<std::uint32_t>(block.size()), block.data());
}

/// In libtiff these are numbers of 32 bits, or bytes.
void set_iptc(TIFF* tiff, std::vector<std::byte> iptc) {
    if (iptc.empty())
        return;
    constexpr std::size_t word = 4;
    const TIFFField* field = TIFFFieldWithTag(tiff, TIFFTAG_RICHTIFFIPTC);
    const bool are_words = field != nullptr && TIFFFieldDataType(field) == TIFF_LONG;
    iptc.resize(are_words ? covering(iptc.size(), word) * word : iptc.size());
    TIFFSetField(tiff, TIFFTAG_RICHTIFFIPTC, static_cast<std::uint32_t>(iptc.size() / (are_words ? word : 1)),
                 iptc.data());
}

void set_exif(TiffFile& file, const std::vector<std::byte>& exif) {
    const TiffExif placed = place_exif(exif, file.next_offset(), TIFFIsBigTIFF(file.get()) != 0);
    if (!placed.bytes.empty())
        file.append(placed.bytes);
    if (placed.exif != 0)
        TIFFSetField(file.get(), TIFFTAG_EXIFIFD, placed.exif);
    if (placed.gps != 0)
        TIFFSetField(file.get(), TIFFTAG_GPSIFD, placed.gps);
    for (const auto& [tag, text] : placed.texts) {
        const char* present = nullptr;
        if (TIFFGetField(file.get(), tag, &present) != 1)
            TIFFSetField(file.get(), tag, text.c_str());
    }
}

/// The text of tifffile without its word for images behind one directory, which is true of that file alone.
std::string without_layout(std::string text) {
    constexpr std::array<std::string_view, 2> words{"\"truncated\": true, ", ", \"truncated\": true"};
    for (const std::string_view word : words) {
        const std::size_t at = text.starts_with('{') ? text.find(word) : std::string::npos;
        if (at != std::string::npos)
            text.erase(at, word.size());
    }
    return text;
}

} // namespace

Metadata read_tiff_metadata(const Source& source, const TiffReader& reader) {
    TiffBlocks blocks = read_tiff_blocks(source);
    Metadata metadata{.icc = reader.block(TIFFTAG_ICCPROFILE),
                      .exif = std::move(blocks.exif),
                      .xmp = reader.block(TIFFTAG_XMLPACKET),
                      .iptc = std::move(blocks.iptc),
                      .density = read_density(reader)};
    for (const TextTag& row : text_tags) {
        const char* text = nullptr;
        if (TIFFGetField(reader.tiff(), row.tag, &text) == 1 && text != nullptr && *text != '\0')
            metadata.texts.push_back({std::string(row.name), without_layout(utf8_of(text))});
    }
    return sound(source, std::move(metadata));
}

void set_tiff_metadata(TiffFile& file, const Metadata& metadata) {
    TIFF* tiff = file.get();
    set_block(tiff, TIFFTAG_ICCPROFILE, metadata.icc);
    set_block(tiff, TIFFTAG_XMLPACKET, metadata.xmp);
    set_iptc(tiff, metadata.iptc);
    if (metadata.density && metadata.density->possible())
        set_density(tiff, *metadata.density);
    for (const TextTag& row : text_tags) {
        if (const std::string* text = text_for(metadata, row.name))
            TIFFSetField(tiff, row.tag, text->c_str());
    }
    set_exif(file, metadata.exif);
}

} // namespace glproc::codecs
