// TIFF reading: strips and tiles of 1 to 16-bit integers and 32-bit floats, grey, palette and RGB, with or
// without alpha, in every compression that libtiff knows.
// https://www.itu.int/itudoc/itu-t/com16/tiff-fx/docs/tiff6.pdf
#include "glproc/image/tiff.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>

#include <fmt/format.h>

namespace glproc::codecs {
namespace {

/// What the directory says about the pixels.
struct Layout {
    std::uint32_t width = 0;
    std::uint32_t height = 0;
    std::uint16_t bits = 1;
    std::uint16_t samples = 1; ///< stored for each pixel
    std::uint16_t format = SAMPLEFORMAT_UINT;
    std::uint16_t photometric = PHOTOMETRIC_MINISBLACK;
    std::uint16_t planar = PLANARCONFIG_CONTIG;
    std::uint16_t compression = COMPRESSION_NONE;
    std::uint16_t orientation = ORIENTATION_TOPLEFT;
    int channels = 1;           ///< of the picture
    bool premultiplied = false; ///< colour times alpha is stored
    std::array<std::uint16_t*, 3> palette{};
};

class Reader {
  public:
    explicit Reader(const Source& source) : source_(source), file_(source.bytes) {
        if (file_.get() == nullptr)
            fail_with("corrupt");
    }

    TIFF* tiff() const { return file_.get(); }

    template <class T>
    T field(std::uint32_t tag, T otherwise) const {
        T value{};
        return TIFFGetFieldDefaulted(file_.get(), tag, &value) == 1 ? value : otherwise;
    }

    [[noreturn]] void fail_with(std::string_view kind) const {
        if (file_.truncated())
            fail(source_, "truncated TIFF");
        fail(source_, file_.message().empty() ? fmt::format("{} TIFF", kind)
                                              : fmt::format("{} TIFF: {}", kind, file_.message()));
    }
    [[noreturn]] void refuse(std::string_view what) const {
        fail(source_, fmt::format("unsupported TIFF: {}", what));
    }

    /// Errors, and all that libtiff forgives although it may change pixels.
    void check_pixels(bool read) const {
        if (!read || file_.failed() || file_.truncated() || file_.warned())
            fail_with("corrupt");
    }
    /// Warnings about the directory are about tags, which are of all kinds.
    void begin_pixels() {
        if (file_.truncated() || file_.failed())
            fail_with("corrupt");
        file_.forgive();
    }

    std::vector<std::byte> block(std::uint32_t tag) const {
        std::uint32_t size = 0;
        const std::byte* data = nullptr;
        if (TIFFGetField(file_.get(), tag, &size, &data) != 1 || data == nullptr)
            return {};
        return {data, data + size};
    }

  private:
    const Source& source_;
    TiffFile file_;
};

/// What a byte of each compression can hold at most. Fax codes spend a bit on each row at least, JPEG one on
/// each block of 64; what is not listed has no bound.
double max_pixels_per_byte(const Layout& layout) {
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

int read_channels(const Reader& reader, Layout& layout) {
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

void check_kind(Reader& reader, Layout& layout) {
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

Layout read_layout(Reader& reader) {
    Layout layout;
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

/// A strip or a tile: what libtiff decodes at a time.
struct Block {
    std::uint32_t width = 0;
    std::uint32_t height = 0;
    bool tiled = false;
    std::size_t row_bytes = 0;
    std::size_t bytes = 0;
};

Block read_block(const Source& source, const Reader& reader, const Layout& layout, const Image& image) {
    Block block{.tiled = TIFFIsTiled(reader.tiff()) != 0};
    block.width = block.tiled ? reader.field(TIFFTAG_TILEWIDTH, std::uint32_t{0}) : layout.width;
    block.height = block.tiled ? reader.field(TIFFTAG_TILELENGTH, std::uint32_t{0})
                               : std::min(reader.field(TIFFTAG_ROWSPERSTRIP, layout.height), layout.height);
    const tmsize_t row = block.tiled ? TIFFTileRowSize(reader.tiff()) : TIFFScanlineSize(reader.tiff());
    const tmsize_t bytes = block.tiled ? TIFFTileSize(reader.tiff()) : TIFFStripSize(reader.tiff());
    const std::size_t samples = layout.planar == PLANARCONFIG_CONTIG ? layout.samples : 1;
    const std::size_t needed = (std::size_t{block.width} * layout.bits * samples + 7) / 8;
    if (block.width == 0 || block.height == 0 || row <= 0 || bytes <= 0 ||
        static_cast<std::size_t>(row) < needed || static_cast<std::size_t>(bytes) / block.height < needed)
        fail(source, "corrupt TIFF: impossible strips or tiles");
    // Tiles may reach beyond the picture, but there is no reason for them to be much larger.
    constexpr std::size_t modest = std::size_t{1} << 26U;
    if (static_cast<std::size_t>(bytes) > std::max(modest, 4 * image.bytes().size()))
        fail(source, "corrupt TIFF: tiles far larger than the picture");
    block.row_bytes = static_cast<std::size_t>(row);
    block.bytes = static_cast<std::size_t>(bytes);
    return block;
}

/// `count` values of one row of a block into a row of the image.
class Unpacker {
  public:
    Unpacker(const Layout& layout, Image& image) : layout_(layout), image_(image) {}

    void row(const std::byte* from, int x, int y, int count, int plane) const {
        const std::size_t value = bytes_of(image_.depth());
        std::byte* to = image_.row(y) + static_cast<std::size_t>(x) * image_.pixel_bytes();
        if (layout_.bits < 8 || layout_.photometric == PHOTOMETRIC_PALETTE)
            return small(from, to, count);
        if (layout_.planar == PLANARCONFIG_CONTIG) {
            std::memcpy(to, from, static_cast<std::size_t>(count) * image_.pixel_bytes());
            return;
        }
        to += static_cast<std::size_t>(plane) * value;
        for (int i = 0; i < count; ++i, from += value, to += image_.pixel_bytes())
            std::memcpy(to, from, value);
    }

  private:
    /// One value of 1 to 8 bits a pixel: grey, or a place in the palette.
    void small(const std::byte* from, std::byte* to, int count) const {
        const auto bits = static_cast<std::size_t>(layout_.bits);
        const std::size_t most = (std::size_t{1} << bits) - 1;
        for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i) {
            const std::size_t shift = 8 - bits - i * bits % 8;
            const std::size_t code = std::to_integer<std::size_t>(from[i * bits / 8]) >> shift & most;
            if (layout_.photometric != PHOTOMETRIC_PALETTE) {
                *to++ = static_cast<std::byte>(code * 255 / most);
                continue;
            }
            for (const std::uint16_t* colour : layout_.palette)
                *to++ = static_cast<std::byte>(colour[code] >> 8U);
        }
    }

    const Layout& layout_;
    Image& image_;
};

void read_pixels(const Source& source, Reader& reader, const Layout& layout, Image& image) {
    const Block block = read_block(source, reader, layout, image);
    const Unpacker unpack(layout, image);
    std::vector<std::byte> data(block.bytes);
    const int planes = layout.planar == PLANARCONFIG_CONTIG ? 1 : layout.samples;
    reader.begin_pixels();
    std::uint32_t index = 0;
    for (int plane = 0; plane < planes; ++plane) {
        for (std::uint32_t top = 0; top < layout.height; top += block.height) {
            for (std::uint32_t left = 0; left < layout.width; left += block.width, ++index) {
                const std::uint32_t rows = std::min(block.height, layout.height - top);
                const std::size_t wanted = block.row_bytes * (block.tiled ? block.height : rows);
                const auto size = static_cast<tmsize_t>(std::min(wanted, data.size()));
                const tmsize_t got = block.tiled
                                         ? TIFFReadEncodedTile(reader.tiff(), index, data.data(), size)
                                         : TIFFReadEncodedStrip(reader.tiff(), index, data.data(), size);
                reader.check_pixels(got == size);
                for (std::uint32_t y = 0; y < rows; ++y) {
                    unpack.row(data.data() + y * block.row_bytes, static_cast<int>(left),
                               static_cast<int>(top + y),
                               static_cast<int>(std::min(block.width, layout.width - left)), plane);
                }
            }
        }
    }
}

template <class T>
void change_values(const Layout& layout, Image& image) {
    const std::span<T> values = image.values<T>();
    const auto full = static_cast<T>(max_code(image.depth()));
    const auto channels = static_cast<std::size_t>(image.channels());
    const std::size_t colours = image.has_alpha() ? channels - 1 : channels;
    for (std::size_t i = 0; i < values.size(); i += channels) {
        for (std::size_t c = i; c < i + colours; ++c) {
            const double alpha = layout.premultiplied ? values[i + colours] / double(full) : 1;
            double value = layout.photometric == PHOTOMETRIC_MINISWHITE ? full - values[c] : values[c];
            if (alpha != 1 && alpha > 0)
                value /= alpha;
            if constexpr (std::is_same_v<T, float>) {
                values[c] = static_cast<float>(value);
            } else {
                values[c] = static_cast<T>(std::nearbyint(std::min<double>(value, full)));
            }
        }
    }
}

/// White is made the largest value, and colour that was stored times alpha is divided by it.
void normalise(const Layout& layout, Image& image) {
    if (layout.photometric != PHOTOMETRIC_MINISWHITE && !layout.premultiplied)
        return;
    switch (image.depth()) {
    case Depth::u8:
        return change_values<std::uint8_t>(layout, image);
    case Depth::u16:
        return change_values<std::uint16_t>(layout, image);
    case Depth::f32:
        return change_values<float>(layout, image);
    }
}

} // namespace

Image decode_tiff(const Source& source) {
    Reader reader(source);
    const Layout layout = read_layout(reader);
    const Depth depth = layout.bits == 32 ? Depth::f32 : layout.bits == 16 ? Depth::u16 : Depth::u8;
    Image image =
        allocate(source, layout.width, layout.height, layout.channels, depth, max_pixels_per_byte(layout));
    read_pixels(source, reader, layout, image);
    normalise(layout, image);
    image.set_metadata(
        sound(source,
              {.icc = reader.block(TIFFTAG_ICCPROFILE), .exif = {}, .xmp = reader.block(TIFFTAG_XMLPACKET)}));
    if (TIFFLastDirectory(reader.tiff()) == 0)
        note(source, "has several pictures, of which the first is taken");
    if (layout.orientation <= 1 || layout.orientation > 8)
        return image;
    Metadata metadata = image.metadata();
    reset_orientation(metadata);
    image.set_metadata(std::move(metadata));
    return upright(std::move(image), layout.orientation);
}

} // namespace glproc::codecs
