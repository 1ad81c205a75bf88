// https://www.itu.int/itudoc/itu-t/com16/tiff-fx/docs/tiff6.pdf, sections 8 and 12; Adobe's TIFF technical
// notes for XMP, the ICC specification for profiles.
#include "glproc/files/codecs/tiff/metadata.hpp"

#include "glproc/files/codecs/blocks.hpp"
#include "glproc/files/codecs/tiff/exif.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

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

/// GeoTIFF 1.1, and GDAL's: where pixels lie, in which system, and which value stands for no data.
constexpr std::array<TIFFFieldInfo, 8> place_tags{{
    {33550, -1, -1, TIFF_DOUBLE, FIELD_CUSTOM, 1, 1, const_cast<char*>("ModelPixelScale")},
    {33922, -1, -1, TIFF_DOUBLE, FIELD_CUSTOM, 1, 1, const_cast<char*>("ModelTiepoint")},
    {34264, -1, -1, TIFF_DOUBLE, FIELD_CUSTOM, 1, 1, const_cast<char*>("ModelTransformation")},
    {34735, -1, -1, TIFF_SHORT, FIELD_CUSTOM, 1, 1, const_cast<char*>("GeoKeyDirectory")},
    {34736, -1, -1, TIFF_DOUBLE, FIELD_CUSTOM, 1, 1, const_cast<char*>("GeoDoubleParams")},
    {34737, -1, -1, TIFF_ASCII, FIELD_CUSTOM, 1, 0, const_cast<char*>("GeoAsciiParams")},
    {42112, -1, -1, TIFF_ASCII, FIELD_CUSTOM, 1, 0, const_cast<char*>("GDAL_METADATA")},
    {42113, -1, -1, TIFF_ASCII, FIELD_CUSTOM, 1, 0, const_cast<char*>("GDAL_NODATA")},
}};

std::vector<PlaceTag> read_place(TIFF* tiff) {
    std::vector<PlaceTag> tags;
    for (const TIFFFieldInfo& row : place_tags) {
        const void* data = nullptr;
        std::uint16_t count = 0;
        std::size_t size = 0;
        if (row.field_type == TIFF_ASCII) {
            if (TIFFGetField(tiff, row.field_tag, &data) == 1 && data != nullptr)
                size = std::strlen(static_cast<const char*>(data)) + 1;
        } else if (TIFFGetField(tiff, row.field_tag, &count, &data) == 1 && data != nullptr) {
            size = count * static_cast<std::size_t>(TIFFDataWidth(row.field_type));
        }
        const auto* bytes = static_cast<const std::byte*>(data);
        if (size > 0)
            tags.push_back({static_cast<int>(row.field_tag), {bytes, bytes + size}});
    }
    return tags;
}

void set_place(TIFF* tiff, const std::vector<PlaceTag>& tags) {
    for (const PlaceTag& tag : tags) {
        const auto* row = std::find_if(place_tags.begin(), place_tags.end(),
                                       [&](const TIFFFieldInfo& one) { return static_cast<int>(one.field_tag) == tag.tag; });
        if (row == place_tags.end())
            continue;
        if (row->field_type == TIFF_ASCII) {
            TIFFSetField(tiff, row->field_tag, reinterpret_cast<const char*>(tag.bytes.data()));
        } else {
            const std::size_t width = static_cast<std::size_t>(TIFFDataWidth(row->field_type));
            TIFFSetField(tiff, row->field_tag, static_cast<int>(tag.bytes.size() / width), tag.bytes.data());
        }
    }
}

/// Numbers of 32 bits for libtiff, and filled up to whole ones; bytes for everyone else. Where the file has bytes, each of them
/// has become such a number.
std::vector<std::byte> read_iptc(TIFF* tiff) {
    std::uint32_t count = 0;
    const std::uint32_t* data = nullptr;
    if (TIFFGetField(tiff, TIFFTAG_RICHTIFFIPTC, &count, &data) != 1 || data == nullptr)
        return {};
    const std::span<const std::uint32_t> numbers(data, count);
    std::vector<std::byte> bytes(numbers.size());
    if (std::all_of(numbers.begin(), numbers.end(), [](std::uint32_t number) { return number < 256; })) {
        std::transform(numbers.begin(), numbers.end(), bytes.begin(), [](std::uint32_t number) { return std::byte(number); });
        return bytes;
    }
    bytes = copy_of(std::as_bytes(numbers));
    if (TIFFIsByteSwapped(tiff) != 0) {
        for (std::size_t i = 0; i < bytes.size(); i += 4)
            std::reverse(&bytes[i], &bytes[i] + 4);
    }
    return bytes;
}

void set_iptc(TIFF* tiff, std::vector<std::byte> iptc) {
    if (iptc.empty())
        return;
    iptc.resize((iptc.size() + 3) / 4 * 4);
    TIFFSetField(tiff, TIFFTAG_RICHTIFFIPTC, static_cast<std::uint32_t>(iptc.size() / 4), iptc.data());
}

/// Tags that hold blocks of bytes.
void set_block(TIFF* tiff, std::uint32_t tag, const std::vector<std::byte>& block) {
    if (!block.empty())
        TIFFSetField(tiff, tag, static_cast<std::uint32_t>(block.size()), block.data());
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

} // namespace

void know_place_tags(TIFF* tiff) {
    TIFFMergeFieldInfo(tiff, place_tags.data(), static_cast<std::uint32_t>(place_tags.size()));
}

Metadata read_tiff_metadata(const Source& source, const TiffReader& reader) {
    Metadata metadata{.icc = reader.block(TIFFTAG_ICCPROFILE),
                      .exif = read_tiff_exif(source),
                      .xmp = reader.block(TIFFTAG_XMLPACKET),
                      .iptc = read_iptc(reader.tiff()),
                      .place = read_place(reader.tiff()),
                      .density = read_density(reader)};
    for (const TextTag& row : text_tags) {
        const char* text = nullptr;
        if (TIFFGetField(reader.tiff(), row.tag, &text) == 1 && text != nullptr && *text != '\0')
            metadata.texts.push_back({std::string(row.name), utf8_of(text)});
    }
    return sound(source, std::move(metadata));
}

void set_tiff_metadata(TiffFile& file, const Metadata& metadata) {
    TIFF* tiff = file.get();
    set_block(tiff, TIFFTAG_ICCPROFILE, metadata.icc);
    set_block(tiff, TIFFTAG_XMLPACKET, metadata.xmp);
    set_iptc(tiff, metadata.iptc);
    set_place(tiff, metadata.place);
    if (metadata.density && metadata.density->possible())
        set_density(tiff, *metadata.density);
    for (const TextTag& row : text_tags) {
        if (const std::string* text = text_for(metadata, row.name))
            TIFFSetField(tiff, row.tag, text->c_str());
    }
    set_exif(file, metadata.exif);
}

} // namespace glproc::codecs
