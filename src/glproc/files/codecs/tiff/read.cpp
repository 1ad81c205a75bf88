// TIFF reading: strips and tiles of integers and floats, grey, palette and RGB, with or without alpha, CMYK
// and Lab, in every compression that libtiff knows. Of YCbCr libtiff makes RGB.
// https://www.itu.int/itudoc/itu-t/com16/tiff-fx/docs/tiff6.pdf
#include "glproc/base/parallel.hpp"
#include "glproc/files/codecs/tiff/metadata.hpp"
#include "glproc/files/codecs/tiff/unpack.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <optional>
#include <utility>

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
        fail(source, "corrupt TIFF: tiles far larger than the image");
    block.row_bytes = static_cast<std::size_t>(row);
    block.bytes = static_cast<std::size_t>(bytes);
    return block;
}

Depth depth_of(const TiffLayout& layout) {
    return layout.as_floats() ? Depth::f32 : layout.bits > 8 ? Depth::u16 : Depth::u8;
}

/// Libtiff's readers are for one thread at a time: one of them, with room for a block.
struct Decoder {
    TiffReader& reader;
    std::vector<std::byte> data;
};

/// Readers of one file beside the first, made when they are needed, for as many threads.
class SpareReaders {
  public:
    explicit SpareReaders(const Source& source) : source_(source) {}

    std::unique_ptr<TiffReader> take() {
        {
            const std::lock_guard lock(mutex_);
            if (!idle_.empty()) {
                std::unique_ptr<TiffReader> reader = std::move(idle_.back());
                idle_.pop_back();
                return reader;
            }
        }
        auto reader = std::make_unique<TiffReader>(source_);
        read_layout(*reader);
        reader->forget(); // the first reader has told
        return reader;
    }

    void give(std::unique_ptr<TiffReader> reader) {
        const std::lock_guard lock(mutex_);
        idle_.push_back(std::move(reader));
    }

  private:
    const Source& source_;
    std::mutex mutex_;
    std::vector<std::unique_ptr<TiffReader>> idle_;
};

/// ImageJ writes the slices of a stack larger than 4 GB behind one directory. Where they cannot be found:
void note_slices(const Source& source, const Metadata& metadata) {
    const std::string* text = find_text(metadata, description_text);
    constexpr std::string_view key = "\nimages=";
    if (text == nullptr || !text->starts_with("ImageJ=") || text->find(key) == std::string::npos)
        return;
    const int images = std::atoi(text->c_str() + text->find(key) + key.size());
    if (images > 1 && !source.page && tiff_directories(source).places.size() < 2)
        note(source,
             fmt::format("holds {} slices of ImageJ behind one directory; the first one is used", images));
}

void note_other_pages(const Source& source) {
    const TiffDirectories pages = tiff_directories(source);
    if (!pages.damage.empty())
        note(source, fmt::format("{} behind image {}; the first one is used", pages.damage, pages.places.size()));
    else if (pages.places.size() > 1)
        note(source, "has several images; the first one is used");
}

/// Tags that are not copied.
void note_left_out(const Source& source, TIFF* tiff, const Metadata& metadata) {
    constexpr std::uint32_t geo_keys = 34735;
    std::uint32_t count = 0;
    const void* data = nullptr;
    if (TIFFGetField(tiff, geo_keys, &count, &data) == 1)
        note(source, "its place on Earth (GeoTIFF) is left out");
    constexpr std::uint32_t imagej_metadata = 50839;
    if (TIFFGetField(tiff, imagej_metadata, &count, &data) == 1)
        note(source, "the look-up tables, labels and overlays of ImageJ are left out");
    if (metadata.iptc.empty() && TIFFGetField(tiff, TIFFTAG_RICHTIFFIPTC, &count, &data) == 1)
        note(source, "its captions of IPTC cannot be read; they are left out");
}

/// What integers can be that are read as floats.
std::optional<Interval> range_of(const TiffLayout& layout) {
    const bool is_signed = layout.format == SAMPLEFORMAT_INT;
    if (!layout.as_floats() || (!is_signed && layout.format != SAMPLEFORMAT_UINT))
        return std::nullopt;
    const double count = std::ldexp(1.0, layout.bits);
    return is_signed ? Interval{-count / 2, count / 2 - 1} : Interval{0, count - 1};
}

/// Decodes whole rows of strips or tiles.
class TiffRows final : public RowReader {
  public:
    explicit TiffRows(const Source& source)
        : source_(source), reader_(source), layout_(read_layout(reader_)), spares_(source) {
        check_size(source, layout_.width, layout_.height, max_pixels_per_byte(layout_));
        form_ = {static_cast<int>(layout_.width), static_cast<int>(layout_.height), layout_.channels,
                 depth_of(layout_)};
        block_ = read_block(source, reader_, layout_, form_);
        if (is_one_plain_strip())
            split_strip();
        else if (source.page && source.page->shift > 0)
            reader_.fail_with("corrupt");
        metadata_ = read_tiff_metadata(source, reader_);
        metadata_.range = range_of(layout_);
        if (layout_.photometric == PHOTOMETRIC_CIELAB) {
            metadata_.icc.clear(); // which says nothing about the RGB
            note(source, "Lab becomes RGB by a plain formula; its ICC profile, if any, is left out");
        } else if (layout_.photometric == PHOTOMETRIC_SEPARATED) {
            if (layout_.planar != PLANARCONFIG_CONTIG)
                metadata_.icc.clear(); // inks that come one after the other
            layout_.inks = InkColours::of(source, metadata_);
        }
        if (layout_.bits == 64 || (layout_.bits == 32 && layout_.format != SAMPLEFORMAT_IEEEFP))
            note(source, "values are rounded to floats of 32 bits, which have 24 significant ones");
        if (!source.page)
            note_other_pages(source);
        note_slices(source, metadata_);
        note_left_out(source, reader_.tiff(), metadata_);
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
                if (const std::size_t whole = whole_blocks(rows.size()); whole > 0) {
                    read_blocks(rows.first(whole));
                    rows = rows.subspan(whole);
                    continue;
                }
                band_.resize(std::min(block_.height, layout_.height - top_) * form_.row_bytes());
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
    /// How many of `bytes` end with a row of blocks.
    std::size_t whole_blocks(std::size_t bytes) const {
        const std::size_t rows = bytes / form_.row_bytes();
        const std::size_t all = layout_.height - top_;
        return (rows >= all ? all : rows / block_.height * block_.height) * form_.row_bytes();
    }

    /// The next rows of blocks.
    void read_blocks(std::span<std::byte> rows) {
        const std::size_t count = rows.size() / form_.row_bytes();
        const std::size_t across = (layout_.width - 1) / block_.width + 1;
        const std::size_t blocks = ((count - 1) / block_.height + 1) * across;
        const auto read = [&](Decoder& decoder, std::size_t i) {
            const std::size_t first = i / across * block_.height;
            const std::size_t height = std::min<std::size_t>(block_.height, count - first);
            unpack_block(decoder, static_cast<std::uint32_t>(i % across),
                         rows.subspan(first * form_.row_bytes(), height * form_.row_bytes()),
                         top_ + static_cast<std::uint32_t>(first));
        };
        if (blocks == 1 || !can_be_shared_out()) {
            for (std::size_t i = 0; i < blocks; ++i)
                read(first_, i);
        } else {
            parallel_for(
                blocks, [this] { return Spare(*this); },
                [&](Spare& spare, std::size_t i) { read(spare.decoder, i); });
        }
        normalise(layout_, form_, rows);
        top_ += static_cast<std::uint32_t>(count);
    }

    /// A decoder for as long as a thread needs it.
    struct Spare {
        explicit Spare(TiffRows& rows) : spares(rows.spares_), reader(spares.take()), decoder{*reader, {}} {}
        Spare(const Spare&) = delete;
        Spare& operator=(const Spare&) = delete;
        ~Spare() { spares.give(std::move(reader)); }

        SpareReaders& spares;
        std::unique_ptr<TiffReader> reader;
        Decoder decoder;
    };

    /// Whether it pays to decode several blocks at once, each thread with room for one.
    bool can_be_shared_out() const {
        constexpr std::size_t modest = std::size_t{1} << 24U;
        return thread_limit() > 1 && block_.bytes <= modest && !strip_start_ && !layout_.by_rgba &&
               !is_fax(layout_) && layout_.compression != COMPRESSION_NONE;
    }

    /// One of those that make up `rows`, the first of which is row `top` of the picture.
    void unpack_block(Decoder& decoder, std::uint32_t column, std::span<std::byte> rows, std::uint32_t top) {
        decoder.data.resize(block_.bytes);
        const std::size_t row_bytes = form_.row_bytes();
        const std::size_t count = rows.size() / row_bytes;
        const std::uint32_t across = (layout_.width - 1) / block_.width + 1;
        const std::uint32_t down = (layout_.height - 1) / block_.height + 1;
        const std::uint32_t left = column * block_.width;
        const auto width = static_cast<int>(std::min(block_.width, layout_.width - left));
        const bool together = layout_.planar == PLANARCONFIG_CONTIG || layout_.by_rgba;
        const int planes = together ? 1 : layout_.samples;
        for (int plane = 0; plane < planes; ++plane) {
            decode(decoder,
                   (static_cast<std::uint32_t>(plane) * down + top / block_.height) * across + column, top,
                   count);
            std::byte* to = rows.data() + left * form_.pixel_bytes();
            for (std::size_t y = 0; y < count; ++y) {
                unpack_row(layout_, form_, decoder.data.data() + y * block_.row_bytes, to + y * row_bytes,
                           width, plane);
            }
        }
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
        // Thousands of pages may be open at a time.
        const std::size_t most = source_.salvages ? 0 : std::size_t{1} << 16U;
        strip_start_ = TIFFGetStrileOffset(reader_.tiff(), 0) + (source_.page ? source_.page->shift : 0);
        block_.height = std::min(static_cast<std::uint32_t>(most / block_.row_bytes) + 1, layout_.height);
        block_.bytes = block_.height * block_.row_bytes;
    }

    void read_plain(std::span<std::byte> rows, std::uint32_t top) {
        reader_.read_at(*strip_start_ + top * block_.row_bytes, rows);
        if (TIFFIsByteSwapped(reader_.tiff()) == 0)
            return;
        auto* values = reinterpret_cast<std::uint16_t*>(rows.data());
        if (layout_.bits == 16)
            TIFFSwabArrayOfShort(values, static_cast<tmsize_t>(rows.size() / 2));
        if (layout_.bits == 64) {
            TIFFSwabArrayOfLong8(reinterpret_cast<std::uint64_t*>(values),
                                 static_cast<tmsize_t>(rows.size() / 8));
        }
        if (layout_.bits == 32) {
            TIFFSwabArrayOfLong(reinterpret_cast<std::uint32_t*>(values),
                                static_cast<tmsize_t>(rows.size() / 4));
        }
    }

    /// The first rows of a block, whose first is row `top` of the picture.
    void decode(Decoder& decoder, std::uint32_t index, std::uint32_t top, std::size_t rows) {
        auto& [reader, data] = decoder;
        constexpr std::uint64_t header = 8;
        if (TIFFGetStrileOffset(reader.tiff(), strip_start_ ? 0 : index) < header)
            fail(source_, "corrupt TIFF: pixels at an impossible place");
        if (strip_start_)
            return read_plain(std::span(data).first(rows * block_.row_bytes), top);
        if (layout_.by_rgba)
            return decode_rgba(data, index, top, rows);
        const std::size_t wanted = block_.row_bytes * (block_.tiled ? block_.height : rows);
        const auto size = static_cast<tmsize_t>(std::min(wanted, data.size()));
        const tmsize_t got = block_.tiled ? TIFFReadEncodedTile(reader.tiff(), index, data.data(), size)
                                          : TIFFReadEncodedStrip(reader.tiff(), index, data.data(), size);
        if (!is_fax(layout_))
            return reader.check_pixels(got == size);
        if (reader.check_fax(got == size) && !garbled_) {
            garbled_ = true;
            note(source_, "corrupt scanlines; each is read up to the damage");
        }
    }

    /// libtiff gives the lowest row first.
    void decode_rgba(std::vector<std::byte>& data, std::uint32_t index, std::uint32_t top, std::size_t rows) {
        auto* raster = reinterpret_cast<std::uint32_t*>(data.data());
        const std::uint32_t across = (layout_.width - 1) / block_.width + 1;
        const std::uint32_t left = index % across * block_.width;
        const int read = block_.tiled ? TIFFReadRGBATileExt(reader_.tiff(), left, top, raster, 1)
                                      : TIFFReadRGBAStripExt(reader_.tiff(), top, raster, 1);
        reader_.check_pixels(read == 1);
        const std::size_t count = block_.tiled ? block_.height : rows;
        for (std::size_t y = 0; y < count / 2; ++y) {
            std::byte* upper = data.data() + y * block_.row_bytes;
            std::byte* lower = data.data() + (count - 1 - y) * block_.row_bytes;
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
    Decoder first_{reader_, {}};
    SpareReaders spares_;
    std::vector<std::byte> band_;     ///< a row of blocks
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

Summary inspect_tiff(const Source& source) {
    const TiffRows rows(source);
    Summary summary = summary_of(rows);
    if (rows.turned())
        summary.orientation = rows.orientation();
    summary.frames = static_cast<int>(tiff_directories(source).places.size());
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
