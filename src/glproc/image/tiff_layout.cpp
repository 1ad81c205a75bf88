#include "glproc/image/tiff_layout.hpp"

#include <fmt/format.h>

namespace glproc::codecs {
namespace {

int read_channels(const TiffReader& reader, TiffLayout& layout) {
    std::uint16_t extras = 0;
    std::uint16_t* kinds = nullptr;
    TIFFGetFieldDefaulted(reader.tiff(), TIFFTAG_EXTRASAMPLES, &extras, &kinds);
    const bool grey =
        layout.photometric == PHOTOMETRIC_MINISBLACK || layout.photometric == PHOTOMETRIC_MINISWHITE;
    const int colours = grey || layout.photometric == PHOTOMETRIC_PALETTE ? 1 : 3;
    if (layout.samples < colours || layout.samples > colours + 1)
        reader.refuse(fmt::format("{} values for a pixel", layout.samples));
    layout.premultiplied = layout.samples > colours && extras > 0 && kinds[0] == EXTRASAMPLE_ASSOCALPHA;
    return layout.samples;
}

void check_kind(TiffReader& reader, TiffLayout& layout) {
    switch (layout.photometric) {
    case PHOTOMETRIC_MINISBLACK:
    case PHOTOMETRIC_MINISWHITE:
    case PHOTOMETRIC_RGB:
        break;
    case PHOTOMETRIC_PALETTE:
        if (TIFFGetField(reader.tiff(), TIFFTAG_COLORMAP, &layout.palette[0], &layout.palette[1],
                         &layout.palette[2]) != 1 ||
            layout.bits > 8 || layout.samples != 1)
            reader.refuse("a palette of this kind");
        break;
    case PHOTOMETRIC_YCBCR:
        if (layout.compression != COMPRESSION_JPEG || layout.planar != PLANARCONFIG_CONTIG)
            reader.refuse("YCbCr outside JPEG");
        TIFFSetField(reader.tiff(), TIFFTAG_JPEGCOLORMODE, JPEGCOLORMODE_RGB);
        break;
    default:
        reader.refuse("neither grey nor RGB");
    }
    const bool floats = layout.format == SAMPLEFORMAT_IEEEFP && layout.bits == 32;
    const bool whole = layout.format == SAMPLEFORMAT_UINT &&
                       (layout.bits == 8 || layout.bits == 16 ||
                        (layout.samples == 1 && (layout.bits == 1 || layout.bits == 2 || layout.bits == 4)));
    if (!floats && !whole)
        reader.refuse(fmt::format("values of {} bits of this kind", layout.bits));
}

} // namespace

void TiffReader::fail_with(std::string_view kind) const {
    file_.check_thrown();
    if (file_.truncated())
        fail(source_, "truncated TIFF");
    fail(source_, file_.message().empty() ? fmt::format("{} TIFF", kind)
                                          : fmt::format("{} TIFF: {}", kind, file_.message()));
}

void TiffReader::refuse(std::string_view what) const {
    fail(source_, fmt::format("unsupported TIFF: {}", what));
}

/// What a byte of each compression can hold at most. Fax codes spend a bit on each row at least, JPEG one on
/// each block of 64; what is not listed has no bound.
double max_pixels_per_byte(const TiffLayout& layout) {
    const double pixel_bytes = layout.bits * layout.samples / 8.0;
    switch (layout.compression) {
    case COMPRESSION_NONE:
        return 1 / pixel_bytes;
    case COMPRESSION_PACKBITS:
        return 64 / pixel_bytes;
    case COMPRESSION_DEFLATE:
    case COMPRESSION_ADOBE_DEFLATE:
        return 1032 / pixel_bytes;
    case COMPRESSION_LZW: // a 12-bit code stands for 4096 bytes at most
        return 4096 / 1.5 / pixel_bytes;
    case COMPRESSION_LZMA:
    case COMPRESSION_ZSTD: // 128 KiB in a block of 4 bytes
        return 32768 / pixel_bytes;
    case COMPRESSION_CCITTRLE:
    case COMPRESSION_CCITTFAX3:
    case COMPRESSION_CCITTFAX4:
        return 8.0 * layout.width;
    case COMPRESSION_JPEG:
        return 512;
    default:
        return 1e18;
    }
}

TiffLayout read_layout(TiffReader& reader) {
    TiffLayout layout;
    layout.width = reader.field(TIFFTAG_IMAGEWIDTH, std::uint32_t{0});
    layout.height = reader.field(TIFFTAG_IMAGELENGTH, std::uint32_t{0});
    layout.bits = reader.field(TIFFTAG_BITSPERSAMPLE, layout.bits);
    layout.samples = reader.field(TIFFTAG_SAMPLESPERPIXEL, layout.samples);
    layout.format = reader.field(TIFFTAG_SAMPLEFORMAT, layout.format);
    if (layout.format == SAMPLEFORMAT_VOID)
        layout.format = SAMPLEFORMAT_UINT;
    layout.planar = reader.field(TIFFTAG_PLANARCONFIG, layout.planar);
    layout.compression = reader.field(TIFFTAG_COMPRESSION, layout.compression);
    layout.orientation = reader.field(TIFFTAG_ORIENTATION, layout.orientation);
    if (TIFFGetField(reader.tiff(), TIFFTAG_PHOTOMETRIC, &layout.photometric) != 1)
        layout.photometric = layout.samples >= 3 ? PHOTOMETRIC_RGB : PHOTOMETRIC_MINISBLACK;
    check_kind(reader, layout);
    layout.channels = read_channels(reader, layout);
    if (layout.photometric == PHOTOMETRIC_PALETTE)
        layout.channels = 3;
    return layout;
}

} // namespace glproc::codecs
