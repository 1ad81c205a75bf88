// TIFF reading: strips and tiles of 1 to 16-bit integers and 32-bit floats, grey, palette and RGB, with or
// without alpha, and CMYK, in every compression that libtiff knows. Of Lab and YCbCr libtiff makes RGB.
// https://www.itu.int/itudoc/itu-t/com16/tiff-fx/docs/tiff6.pdf
#include "glproc/image/codecs/tiff/metadata.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <optional>

#include <fmt/format.h>

namespace glproc::codecs {
namespace {

/// A strip or a tile: what libtiff decodes at a time.
struct Block {
    std::uint32_t width = 0;
    std::uint32_t height = 0;
    bool tiled = false;
    std::size_t row_bytes = 0;
    std::size_t bytes = 0;
};

Block read_block(const Source& source, const TiffReader& reader, const TiffLayout& layout, const Form& form) {
    Block block{.tiled = TIFFIsTiled(reader.tiff()) != 0};
    block.width = block.tiled ? reader.field(TIFFTAG_TILEWIDTH, std::uint32_t{0}) : layout.width;
    block.height = block.tiled ? reader.field(TIFFTAG_TILELENGTH, std::uint32_t{0})
                               : std::min(reader.field(TIFFTAG_ROWSPERSTRIP, layout.height), layout.height);
    tmsize_t row = block.tiled ? TIFFTileRowSize(reader.tiff()) : TIFFScanlineSize(reader.tiff());
    tmsize_t bytes = block.tiled ? TIFFTileSize(reader.tiff()) : TIFFStripSize(reader.tiff());
    if (layout.by_rgba) {
        constexpr std::uint32_t most = std::uint32_t{1} << 30U; // so that the product fits
        if (block.width > most || block.height > most)
            fail(source, "corrupt TIFF: impossible strips or tiles");
        row = tmsize_t{4} * block.width;
        bytes = row * block.height;
    }
    const std::size_t samples = layout.planar == PLANARCONFIG_CONTIG ? layout.samples : 1;
    const std::size_t needed = layout.by_rgba ? std::size_t{block.width} * 4
                                              : (std::size_t{block.width} * layout.bits * samples + 7) / 8;
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
    Unpacker(const TiffLayout& layout, const Form& form) : layout_(layout), form_(form) {}

    void row(const std::byte* from, std::byte* to, int count, int plane) const {
        const std::size_t value = bytes_of(form_.depth);
        if (layout_.by_rgba)
            return rgba(from, to, count);
        if (layout_.photometric == PHOTOMETRIC_SEPARATED) {
            return layout_.bits == 8 ? ink<std::uint8_t>(from, to, count, plane)
                                     : ink<std::uint16_t>(from, to, count, plane);
        }
        if (layout_.bits > 8 && layout_.bits < 16)
            return odd(from, to, count, plane);
        if (layout_.bits < 8 || layout_.photometric == PHOTOMETRIC_PALETTE)
            return small(from, to, count, plane);
        if (layout_.planar == PLANARCONFIG_CONTIG) {
            std::memcpy(to, from, static_cast<std::size_t>(count) * form_.pixel_bytes());
            return;
        }
        to += static_cast<std::size_t>(plane) * value;
        for (int i = 0; i < count; ++i, from += value, to += form_.pixel_bytes())
            std::memcpy(to, from, value);
    }

  private:
    /// One value of 1 to 8 bits a pixel: grey, or a place in the palette, which alpha may follow.
    void small(const std::byte* from, std::byte* to, int count, int plane) const {
        const auto bits = static_cast<std::size_t>(layout_.bits);
        const std::size_t most = (std::size_t{1} << bits) - 1;
        const bool together = layout_.planar == PLANARCONFIG_CONTIG;
        const std::size_t step = together ? layout_.samples * bits : bits;
        for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i, to += form_.channels) {
            const std::size_t shift = 8 - bits - i * step % 8;
            const std::byte* at = from + i * step / 8;
            const std::size_t code = std::to_integer<std::size_t>(*at) >> shift & most;
            if (layout_.photometric != PHOTOMETRIC_PALETTE) {
                *to = static_cast<std::byte>(code * 255 / most);
                continue;
            }
            for (std::size_t c = 0; c < 3 && plane == 0; ++c)
                to[c] = static_cast<std::byte>(layout_.palette.at(c)[code] >> 8U);
            if (layout_.samples == 2 && (together || plane == 1))
                to[3] = together ? at[1] : *at;
        }
    }

    /// Values of 9 to 15 bits, one after the other without gaps.
    void odd(const std::byte* from, std::byte* to, int count, int plane) const {
        const auto bits = static_cast<std::size_t>(layout_.bits);
        const std::size_t most = (std::size_t{1} << bits) - 1;
        const bool together = layout_.planar == PLANARCONFIG_CONTIG;
        const auto channels = static_cast<std::size_t>(form_.channels);
        const std::size_t values = static_cast<std::size_t>(count) * (together ? channels : 1);
        for (std::size_t i = 0; i < values; ++i) {
            std::size_t code = 0;
            for (std::size_t bit = i * bits; bit < (i + 1) * bits; ++bit)
                code = code << 1U | (std::to_integer<std::size_t>(from[bit / 8]) >> (7 - bit % 8) & 1U);
            const auto scaled = static_cast<std::uint16_t>((code * 65535 + most / 2) / most);
            const std::size_t place = together ? i : i * channels + static_cast<std::size_t>(plane);
            std::memcpy(to + 2 * place, &scaled, sizeof scaled);
        }
    }

    /// Cyan, magenta, yellow, black as R = (1 − C)(1 − K), and so on. Where each has a plane of its own,
    /// black comes last.
    template <class T>
    void ink(const std::byte* from, std::byte* to, int count, int plane) const {
        constexpr std::uint32_t full = std::numeric_limits<T>::max();
        const auto times = [](std::uint32_t a, std::uint32_t b) {
            return static_cast<T>((a * b + full / 2) / full);
        };
        const auto* inks = reinterpret_cast<const T*>(from);
        auto* colours = reinterpret_cast<T*>(to);
        const bool together = layout_.planar == PLANARCONFIG_CONTIG;
        for (int i = 0; i < count; ++i, inks += together ? 4 : 1, colours += 3) {
            if (!together && plane < 3) {
                colours[plane] = static_cast<T>(full - *inks);
                continue;
            }
            const std::uint32_t light = full - (together ? inks[3] : *inks);
            for (int c = 0; c < 3; ++c)
                colours[c] = times(together ? full - inks[c] : colours[c], light);
        }
    }

    static void rgba(const std::byte* from, std::byte* to, int count) {
        for (int i = 0; i < count; ++i, from += 4) {
            std::uint32_t pixel = 0;
            std::memcpy(&pixel, from, sizeof pixel);
            for (const std::uint32_t value : {TIFFGetR(pixel), TIFFGetG(pixel), TIFFGetB(pixel)})
                *to++ = static_cast<std::byte>(value);
        }
    }

    const TiffLayout& layout_;
    const Form& form_;
};

template <class T>
void change_values(const TiffLayout& layout, const Form& form, std::span<std::byte> rows) {
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
void normalise(const TiffLayout& layout, const Form& form, std::span<std::byte> rows) {
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

Depth depth_of(const TiffLayout& layout) {
    return layout.bits == 32 ? Depth::f32 : layout.bits > 8 ? Depth::u16 : Depth::u8;
}

/// Decodes a row of strips or tiles at a time.
class TiffRows final : public RowReader {
  public:
    explicit TiffRows(const Source& source)
        : source_(source), reader_(source), layout_(read_layout(reader_)) {
        check_size(source, layout_.width, layout_.height, max_pixels_per_byte(layout_));
        form_ = {static_cast<int>(layout_.width), static_cast<int>(layout_.height), layout_.channels,
                 depth_of(layout_)};
        block_ = read_block(source, reader_, layout_, form_);
        if (is_one_plain_strip())
            split_strip();
        metadata_ = read_tiff_metadata(source, reader_);
        const bool lab = layout_.photometric == PHOTOMETRIC_CIELAB;
        if (lab || layout_.photometric == PHOTOMETRIC_SEPARATED) {
            metadata_.icc.clear(); // which says nothing about the RGB
            note(source,
                 fmt::format("{} becomes RGB by a plain formula; its ICC profile, if any, is left out",
                             lab ? "Lab" : "CMYK"));
        }
        if (TIFFLastDirectory(reader_.tiff()) == 0)
            note(source, "has several pictures, of which the first is taken");
        reader_.begin_pixels();
    }

    const Form& form() const override { return form_; }
    const Metadata& metadata() const override { return metadata_; }
    int orientation() const { return layout_.orientation; }
    int count_pictures() const { return static_cast<int>(TIFFNumberOfDirectories(reader_.tiff())); }
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
        const bool together = layout_.planar == PLANARCONFIG_CONTIG || layout_.by_rgba;
        const int planes = together ? 1 : layout_.samples;
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

    /// Some writers make one strip of the whole picture. libtiff takes a strip into memory, which for one
    /// that is not compressed there is no need to.
    bool is_one_plain_strip() const {
        return !block_.tiled && !layout_.by_rgba && block_.height >= layout_.height &&
               layout_.planar == PLANARCONFIG_CONTIG && layout_.compression == COMPRESSION_NONE &&
               layout_.photometric != PHOTOMETRIC_YCBCR &&
               reader_.field(TIFFTAG_FILLORDER, std::uint16_t{FILLORDER_MSB2LSB}) == FILLORDER_MSB2LSB &&
               TIFFGetStrileByteCount(reader_.tiff(), 0) >= block_.row_bytes * layout_.height;
    }

    void split_strip() {
        constexpr std::size_t most = std::size_t{1} << 20U;
        strip_start_ = TIFFGetStrileOffset(reader_.tiff(), 0);
        block_.height = std::min(static_cast<std::uint32_t>(most / block_.row_bytes) + 1, layout_.height);
        block_.bytes = block_.height * block_.row_bytes;
    }

    void read_plain(std::span<std::byte> rows) {
        reader_.read_at(*strip_start_ + top_ * block_.row_bytes, rows);
        if (TIFFIsByteSwapped(reader_.tiff()) == 0)
            return;
        auto* values = reinterpret_cast<std::uint16_t*>(rows.data());
        if (layout_.bits == 16)
            TIFFSwabArrayOfShort(values, static_cast<tmsize_t>(rows.size() / 2));
        if (layout_.bits == 32) {
            TIFFSwabArrayOfLong(reinterpret_cast<std::uint32_t*>(values),
                                static_cast<tmsize_t>(rows.size() / 4));
        }
    }

    /// The first rows of a block.
    void decode(std::uint32_t index, std::size_t rows) {
        constexpr std::uint64_t header = 8;
        if (TIFFGetStrileOffset(reader_.tiff(), strip_start_ ? 0 : index) < header)
            fail(source_, "corrupt TIFF: pixels at an impossible place");
        if (strip_start_)
            return read_plain(std::span(data_).first(rows * block_.row_bytes));
        if (layout_.by_rgba)
            return decode_rgba(index, rows);
        const std::size_t wanted = block_.row_bytes * (block_.tiled ? block_.height : rows);
        const auto size = static_cast<tmsize_t>(std::min(wanted, data_.size()));
        const tmsize_t got = block_.tiled ? TIFFReadEncodedTile(reader_.tiff(), index, data_.data(), size)
                                          : TIFFReadEncodedStrip(reader_.tiff(), index, data_.data(), size);
        if (!is_fax())
            return reader_.check_pixels(got == size);
        if (reader_.check_fax(got == size) && !garbled_) {
            garbled_ = true;
            note(source_, "lines of the fax are garbled; they are read as far as they go");
        }
    }

    bool is_fax() const {
        return layout_.compression == COMPRESSION_CCITTRLE || layout_.compression == COMPRESSION_CCITTFAX3 ||
               layout_.compression == COMPRESSION_CCITTFAX4 || layout_.compression == COMPRESSION_CCITTRLEW;
    }

    /// libtiff gives the lowest row first.
    void decode_rgba(std::uint32_t index, std::size_t rows) {
        auto* raster = reinterpret_cast<std::uint32_t*>(data_.data());
        const std::uint32_t across = (layout_.width - 1) / block_.width + 1;
        const std::uint32_t left = index % across * block_.width;
        const int read = block_.tiled ? TIFFReadRGBATileExt(reader_.tiff(), left, top_, raster, 1)
                                      : TIFFReadRGBAStripExt(reader_.tiff(), top_, raster, 1);
        reader_.check_pixels(read == 1);
        const std::size_t count = block_.tiled ? block_.height : rows;
        for (std::size_t y = 0; y < count / 2; ++y) {
            std::byte* upper = data_.data() + y * block_.row_bytes;
            std::byte* lower = data_.data() + (count - 1 - y) * block_.row_bytes;
            std::swap_ranges(upper, upper + block_.row_bytes, lower);
        }
    }

    const Source& source_;
    TiffReader reader_;
    TiffLayout layout_;
    bool garbled_ = false;
    Form form_;
    Metadata metadata_;
    Block block_;
    std::optional<std::uint64_t> strip_start_; ///< of a strip that is read without libtiff
    std::vector<std::byte> data_;              ///< a block
    std::vector<std::byte> band_;              ///< a row of blocks
    std::span<const std::byte> left_;          ///< of the band
    std::uint32_t top_ = 0;                    ///< of the next row of blocks
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

Summary inspect_tiff(const Source& source) {
    const TiffRows rows(source);
    Summary summary = summary_of(rows);
    if (rows.turned())
        summary.orientation = rows.orientation();
    summary.frames = rows.count_pictures();
    return summary;
}

Image decode_tiff(const Source& source) {
    TiffRows rows(source);
    Image image = read_all(rows);
    if (!rows.turned())
        return image;
    Metadata metadata = image.metadata();
    reset_orientation(metadata, rows.orientation());
    image.set_metadata(std::move(metadata));
    return upright(std::move(image), rows.orientation());
}

} // namespace glproc::codecs
