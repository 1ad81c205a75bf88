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
    explicit Reader(const Source& source) : source_(source), file_(source) {
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
        file_.check_thrown();
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

Block read_block(const Source& source, const Reader& reader, const Layout& layout, const Form& form) {
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
    if (static_cast<std::size_t>(bytes) > std::max(modest, 4 * form.bytes()))
        fail(source, "corrupt TIFF: tiles far larger than the picture");
    block.row_bytes = static_cast<std::size_t>(row);
    block.bytes = static_cast<std::size_t>(bytes);
    return block;
}

/// `count` values of one row of a block to their pixels in the picture.
class Unpacker {
  public:
    Unpacker(const Layout& layout, const Form& form) : layout_(layout), form_(form) {}

    void row(const std::byte* from, std::byte* to, int count, int plane) const {
        const std::size_t value = bytes_of(form_.depth);
        if (layout_.bits < 8 || layout_.photometric == PHOTOMETRIC_PALETTE)
            return small(from, to, count);
        if (layout_.planar == PLANARCONFIG_CONTIG) {
            std::memcpy(to, from, static_cast<std::size_t>(count) * form_.pixel_bytes());
            return;
        }
        to += static_cast<std::size_t>(plane) * value;
        for (int i = 0; i < count; ++i, from += value, to += form_.pixel_bytes())
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
    const Form& form_;
};

template <class T>
void change_values(const Layout& layout, const Form& form, std::span<std::byte> rows) {
    const std::span<T> values(reinterpret_cast<T*>(rows.data()), rows.size() / sizeof(T));
    const auto full = static_cast<T>(max_code(form.depth));
    const auto channels = static_cast<std::size_t>(form.channels);
    const std::size_t colours = form.has_alpha() ? channels - 1 : channels;
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
void normalise(const Layout& layout, const Form& form, std::span<std::byte> rows) {
    if (layout.photometric != PHOTOMETRIC_MINISWHITE && !layout.premultiplied)
        return;
    switch (form.depth) {
    case Depth::u8:
        return change_values<std::uint8_t>(layout, form, rows);
    case Depth::u16:
        return change_values<std::uint16_t>(layout, form, rows);
    case Depth::f32:
        return change_values<float>(layout, form, rows);
    }
}

Depth depth_of(const Layout& layout) {
    return layout.bits == 32 ? Depth::f32 : layout.bits == 16 ? Depth::u16 : Depth::u8;
}

/// Decodes a row of strips or tiles at a time.
class TiffRows final : public RowReader {
  public:
    explicit TiffRows(const Source& source) : reader_(source), layout_(read_layout(reader_)) {
        check_size(source, layout_.width, layout_.height, max_pixels_per_byte(layout_));
        form_ = {static_cast<int>(layout_.width), static_cast<int>(layout_.height), layout_.channels,
                 depth_of(layout_)};
        block_ = read_block(source, reader_, layout_, form_);
        metadata_ = sound(source, {.icc = reader_.block(TIFFTAG_ICCPROFILE),
                                   .exif = {},
                                   .xmp = reader_.block(TIFFTAG_XMLPACKET)});
        if (TIFFLastDirectory(reader_.tiff()) == 0)
            note(source, "has several pictures, of which the first is taken");
        reader_.begin_pixels();
    }

    const Form& form() const override { return form_; }
    const Metadata& metadata() const override { return metadata_; }
    int orientation() const { return layout_.orientation; }
    bool turned() const { return layout_.orientation > 1 && layout_.orientation <= 8; }

    /// Of what has to be decoded at a time.
    std::size_t bytes_at_a_time() const { return block_.height * form_.row_bytes() + block_.bytes; }

    void read(std::span<std::byte> rows) override {
        while (!rows.empty()) {
            if (left_.empty()) {
                const std::size_t next = std::min(block_.height, layout_.height - top_) * form_.row_bytes();
                if (rows.size() >= next) {
                    read_blocks(rows.first(next));
                    rows = rows.subspan(next);
                    continue;
                }
                band_.resize(next);
                read_blocks(band_);
                left_ = band_;
            }
            const std::size_t count = std::min(left_.size(), rows.size());
            std::memcpy(rows.data(), left_.data(), count);
            left_ = left_.subspan(count);
            rows = rows.subspan(count);
        }
    }

  private:
    /// The next row of blocks: all its rows, or those that the picture still has.
    void read_blocks(std::span<std::byte> rows) {
        data_.resize(block_.bytes);
        const Unpacker unpack(layout_, form_);
        const std::size_t row_bytes = form_.row_bytes();
        const std::size_t count = rows.size() / row_bytes;
        const std::uint32_t across = (layout_.width - 1) / block_.width + 1;
        const std::uint32_t down = (layout_.height - 1) / block_.height + 1;
        const int planes = layout_.planar == PLANARCONFIG_CONTIG ? 1 : layout_.samples;
        for (int plane = 0; plane < planes; ++plane) {
            for (std::uint32_t i = 0; i < across; ++i) {
                const std::uint32_t left = i * block_.width;
                decode((static_cast<std::uint32_t>(plane) * down + top_ / block_.height) * across + i, count);
                const auto width = static_cast<int>(std::min(block_.width, layout_.width - left));
                std::byte* to = rows.data() + left * form_.pixel_bytes();
                for (std::size_t y = 0; y < count; ++y)
                    unpack.row(data_.data() + y * block_.row_bytes, to + y * row_bytes, width, plane);
            }
        }
        normalise(layout_, form_, rows);
        top_ += static_cast<std::uint32_t>(count);
    }

    /// The first rows of a block.
    void decode(std::uint32_t index, std::size_t rows) {
        const std::size_t wanted = block_.row_bytes * (block_.tiled ? block_.height : rows);
        const auto size = static_cast<tmsize_t>(std::min(wanted, data_.size()));
        const tmsize_t got = block_.tiled ? TIFFReadEncodedTile(reader_.tiff(), index, data_.data(), size)
                                          : TIFFReadEncodedStrip(reader_.tiff(), index, data_.data(), size);
        reader_.check_pixels(got == size);
    }

    Reader reader_;
    Layout layout_;
    Form form_;
    Metadata metadata_;
    Block block_;
    std::vector<std::byte> data_; ///< a block
    std::vector<std::byte> band_; ///< a row of blocks
    std::span<const std::byte> left_; ///< of the band
    std::uint32_t top_ = 0;           ///< of the next row of blocks
};

/// Strips or tiles of which a row takes more are no way to read a large picture piece by piece.
constexpr std::size_t most_at_a_time = std::size_t{1} << 28U;

} // namespace

std::unique_ptr<RowReader> tiff_rows(const Source& source) {
    auto rows = std::make_unique<TiffRows>(source);
    if (rows->turned() || rows->bytes_at_a_time() > most_at_a_time)
        return nullptr;
    return rows;
}

Image decode_tiff(const Source& source) {
    TiffRows rows(source);
    Image image = read_all(rows);
    if (!rows.turned())
        return image;
    Metadata metadata = image.metadata();
    reset_orientation(metadata);
    image.set_metadata(std::move(metadata));
    return upright(std::move(image), rows.orientation());
}

} // namespace glproc::codecs
