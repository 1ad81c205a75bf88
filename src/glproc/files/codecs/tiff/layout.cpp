#include "glproc/files/codecs/tiff/layout.hpp"

#include "glproc/base/counted.hpp"

#include <algorithm>
#include <span>

#include <fmt/format.h>

namespace glproc::codecs {
namespace {

int read_channels(const TiffReader& reader, TiffLayout& layout) {
    std::uint16_t extras = 0;
    std::uint16_t* kinds = nullptr;
    TIFFGetFieldDefaulted(reader.tiff(), TIFFTAG_EXTRASAMPLES, &extras, &kinds);
    const bool palette = layout.photometric == PHOTOMETRIC_PALETTE;
    const bool grey =
        layout.photometric == PHOTOMETRIC_MINISBLACK || layout.photometric == PHOTOMETRIC_MINISWHITE;
    const bool ink = layout.photometric == PHOTOMETRIC_SEPARATED;
    const int colours = ink ? 4 : grey || palette ? 1 : 3;
    if (layout.samples < colours || layout.samples > colours + (layout.by_rgba || ink ? 0 : 1))
        reader.refuse(fmt::format("{} for a pixel", counted(layout.samples, "value")));
    layout.premultiplied = layout.samples > colours && !palette && layout.photometric != PHOTOMETRIC_CIELAB &&
                           extras > 0 && kinds[0] == EXTRASAMPLE_ASSOCALPHA;
    return layout.by_rgba || ink ? 3 : palette ? layout.samples + 2 : layout.samples;
}

/// "signed integers of 8 bits".
std::string values_of(const TiffLayout& layout) {
    const auto of_bits = [&](std::string_view values) {
        return fmt::format("{} of {}", values, counted(layout.bits, "bit"));
    };
    switch (layout.format) {
    case SAMPLEFORMAT_UINT:
        return of_bits("integers");
    case SAMPLEFORMAT_INT:
        return of_bits("signed integers");
    case SAMPLEFORMAT_IEEEFP:
        return of_bits("floats");
    default:
        return of_bits("complex numbers");
    }
}

/// That libtiff makes RGB of it, of 8 bits.
void check_rgba(TiffReader& reader, TiffLayout& layout, std::string_view colours) {
    if (layout.bits != 8 || layout.format != SAMPLEFORMAT_UINT)
        reader.refuse(fmt::format("{} in {}", colours, values_of(layout)));
    TIFFSetField(reader.tiff(), TIFFTAG_ORIENTATION, ORIENTATION_TOPLEFT); // we turn pictures ourselves
    TIFFRGBAImage image{};
    std::array<char, 1024> message{};
    if (TIFFRGBAImageBegin(&image, reader.tiff(), 1, message.data()) == 0)
        reader.refuse(fmt::format("{} of this kind", colours));
    TIFFRGBAImageEnd(&image);
    layout.by_rgba = true;
}

void check_values(const TiffReader& reader, const TiffLayout& layout) {
    const auto has = [&](std::initializer_list<int> bits) {
        return std::ranges::find(bits, static_cast<int>(layout.bits)) != bits.end();
    };
    const bool floats = layout.format == SAMPLEFORMAT_IEEEFP && has({16, 32, 64});
    const bool signed_whole = layout.format == SAMPLEFORMAT_INT && has({8, 16, 32});
    const bool whole = layout.format == SAMPLEFORMAT_UINT && (layout.bits <= 16 || layout.bits == 32);
    if (layout.bits == 0 || (!floats && !signed_whole && !whole))
        reader.refuse(values_of(layout));
    const bool has_range = floats || !layout.as_floats();
    if (!has_range &&
        (layout.photometric == PHOTOMETRIC_MINISWHITE || layout.samples == 2 || layout.samples == 4))
        reader.refuse(fmt::format("{} with alpha, or whose white is zero", values_of(layout)));
}

void read_palette(const TiffReader& reader, TiffLayout& layout) {
    constexpr std::array bits{1, 2, 4, 8, 16};
    if (TIFFGetField(reader.tiff(), TIFFTAG_COLORMAP, &layout.palette[0], &layout.palette[1],
                     &layout.palette[2]) != 1 ||
        layout.format != SAMPLEFORMAT_UINT ||
        std::ranges::find(bits, static_cast<int>(layout.bits)) == bits.end() ||
        (layout.samples != 1 && layout.bits != 8))
        reader.refuse("a palette of this kind");
    const std::size_t count = std::size_t{1} << layout.bits;
    const bool short_values = std::ranges::all_of(layout.palette, [&](const std::uint16_t* values) {
        return std::ranges::all_of(std::span(values, count), [](std::uint16_t value) { return value < 256; });
    });
    layout.palette_shift = short_values ? 0 : 8;
}

void check_kind(TiffReader& reader, TiffLayout& layout) {
    switch (layout.photometric) {
    case PHOTOMETRIC_MINISBLACK:
    case PHOTOMETRIC_MINISWHITE:
    case PHOTOMETRIC_RGB:
        return check_values(reader, layout);
    case PHOTOMETRIC_PALETTE:
        return read_palette(reader, layout);
    case PHOTOMETRIC_YCBCR:
        if (layout.compression != COMPRESSION_JPEG || layout.planar != PLANARCONFIG_CONTIG)
            return check_rgba(reader, layout, "YCbCr");
        TIFFSetField(reader.tiff(), TIFFTAG_JPEGCOLORMODE, JPEGCOLORMODE_RGB);
        return check_values(reader, layout);
    case PHOTOMETRIC_SEPARATED:
        if (reader.field(TIFFTAG_INKSET, std::uint16_t{INKSET_CMYK}) != INKSET_CMYK)
            reader.refuse("other inks than CMYK");
        if (layout.format != SAMPLEFORMAT_UINT || (layout.bits != 8 && layout.bits != 16))
            reader.refuse(fmt::format("CMYK in {}", values_of(layout)));
        return;
    case PHOTOMETRIC_CIELAB:
        if (layout.format == SAMPLEFORMAT_INT) // as a* and b* are
            layout.format = SAMPLEFORMAT_UINT;
        if (layout.format != SAMPLEFORMAT_UINT || (layout.bits != 8 && layout.bits != 16))
            reader.refuse(fmt::format("Lab in {}", values_of(layout)));
        return;
    default:
        reader.refuse(fmt::format("colours of kind {}", layout.photometric));
    }
}

/// Of a file that does not say: by the number of values, of which four without alpha are inks. A fax is black
/// on white. libtiff takes all values but the first for extra ones here, so their number says nothing.
std::uint16_t likely_photometric(const TiffReader& reader, const TiffLayout& layout) {
    std::uint16_t extras = 0;
    std::uint16_t* kinds = nullptr;
    TIFFGetFieldDefaulted(reader.tiff(), TIFFTAG_EXTRASAMPLES, &extras, &kinds);
    const bool has_alpha = std::ranges::any_of(std::span(kinds, extras), [](std::uint16_t kind) {
        return kind == EXTRASAMPLE_ASSOCALPHA || kind == EXTRASAMPLE_UNASSALPHA;
    });
    return layout.samples == 4 && !has_alpha ? PHOTOMETRIC_SEPARATED
           : layout.samples >= 3             ? PHOTOMETRIC_RGB
           : is_fax(layout)                  ? PHOTOMETRIC_MINISWHITE
                                             : PHOTOMETRIC_MINISBLACK;
}

} // namespace

bool is_fax(const TiffLayout& layout) {
    return layout.compression == COMPRESSION_CCITTRLE || layout.compression == COMPRESSION_CCITTFAX3 ||
           layout.compression == COMPRESSION_CCITTFAX4 || layout.compression == COMPRESSION_CCITTRLEW;
}

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

void TiffReader::begin_pixels() {
    const bool private_alone = file_.lost_private_tag() && !file_.lost_known_tag();
    if (file_.failed() || (file_.truncated() && !private_alone))
        fail_with("corrupt");
    if (file_.lost_private_tag())
        note(source_, "a private tag cannot be read; it is left out");
    file_.forgive();
}

/// What a byte of each compression can hold at most. Fax codes spend a bit on each row at least, JPEG one on
/// each block of 64; what is not listed has no bound.
double max_pixels_per_byte(const TiffLayout& layout) {
    const bool shared = layout.photometric == PHOTOMETRIC_YCBCR; // many pixels have one colour
    const double pixel_bytes = shared ? 1 : layout.bits * layout.samples / 8.0;
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
    case COMPRESSION_OJPEG:
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
        layout.photometric = likely_photometric(reader, layout);
    check_kind(reader, layout);
    layout.channels = read_channels(reader, layout);
    return layout;
}

} // namespace glproc::codecs
