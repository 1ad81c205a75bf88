// BMP: all headers of Windows and OS/2, 1 to 32 bits a pixel, palettes, colour masks, run lengths; rows in
// either order. https://learn.microsoft.com/windows/win32/gdi/bitmap-storage
#include "glproc/files/codecs/little.hpp"

#include "glproc/base/counted.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <optional>

#include <fmt/format.h>

namespace glproc::codecs {
namespace {

constexpr std::uint64_t file_header = 14;

enum Compression : std::uint64_t { plain, rle8, rle4, bitfields, jpeg, png, alpha_bitfields };

struct Header {
    std::uint64_t info_size = 0;
    std::uint64_t pixels = 0; ///< where they begin
    std::uint64_t width = 0;
    std::uint64_t height = 0;
    std::uint64_t bits = 0;
    std::uint64_t compression = plain;
    bool top_down = false;
    bool alpha = false;                   ///< the file says so
    std::array<std::uint32_t, 4> masks{}; ///< of red, green, blue and alpha
    std::array<std::array<std::byte, 3>, 256> palette{};
    bool grey = false; ///< nothing but greys in the palette
};

void refuse(const Source& source, const Header& header) {
    constexpr std::array sizes{12, 16, 40, 52, 56, 64, 108, 124};
    if (std::ranges::find(sizes, static_cast<int>(header.info_size)) == sizes.end())
        fail(source, "corrupt BMP: unknown kind of header");
    if (header.compression == jpeg || header.compression == png)
        fail(source,
             fmt::format("unsupported BMP: it holds a {}", header.compression == png ? "PNG" : "JPEG"));
    const bool masks = header.compression == bitfields || header.compression == alpha_bitfields;
    const bool fits = header.compression == plain || (header.compression == rle8 && header.bits == 8) ||
                      (header.compression == rle4 && header.bits == 4) ||
                      // In OS/2's header the number stands for Huffman codes.
                      (masks && header.info_size != 64 && (header.bits == 16 || header.bits == 32));
    constexpr std::array depths{1, 2, 4, 8, 16, 24, 32};
    if (!fits || std::ranges::find(depths, static_cast<int>(header.bits)) == depths.end()) {
        fail(source, fmt::format("unsupported BMP: {} a pixel of compression {}", counted(header.bits, "bit"),
                                 header.compression));
    }
    if (header.compression != plain && header.compression < bitfields && header.top_down)
        fail(source, "corrupt BMP: run lengths from the top down");
}

/// Reads the masks, which are in the header, or after one of the first kind; returns where they end.
std::uint64_t read_masks(const Source& source, Header& header) {
    std::uint64_t end = file_header + header.info_size;
    if (header.bits == 16)
        header.masks = {0x7c00, 0x3e0, 0x1f, 0};
    if (header.bits == 32)
        header.masks = {0xff0000, 0xff00, 0xff, 0xff000000};
    if (header.compression != bitfields && header.compression != alpha_bitfields)
        return end;
    const bool alpha = header.info_size >= 56 || header.compression == alpha_bitfields;
    const std::size_t count = alpha ? 4 : 3;
    if (header.info_size == 40)
        end += 4 * count;
    header.masks = {};
    for (std::size_t i = 0; i < count; ++i)
        header.masks.at(i) = static_cast<std::uint32_t>(little(source, file_header + 40 + 4 * i, 4));
    header.alpha = header.masks[3] != 0;
    return end;
}

/// Some writers forget the palette where they say that the pixels begin: that is where it stands.
void find_pixels(const Source& source, Header& header, std::uint64_t at, std::uint64_t palette) {
    if (header.pixels != at)
        return;
    const std::uint64_t room = source.bytes.size() - std::min<std::uint64_t>(source.bytes.size(), at);
    const std::uint64_t row = (header.width * header.bits + 31) / 32 * 4;
    const bool has_both =
        row > 0 && room > palette && (header.compression != plain || (room - palette) / row >= header.height);
    if (!has_both)
        fail(source, "corrupt BMP: the pixels begin where the palette stands");
    header.pixels += palette;
    note(source, "its pixels are said to begin where the palette stands; they are read from behind it");
}

/// What the file has of it; the rest is black.
void read_palette(const Source& source, Header& header, std::uint64_t at, std::uint64_t used) {
    const std::uint64_t entry = header.info_size == 12 ? 3 : 4;
    const std::uint64_t most = std::uint64_t{1} << header.bits;
    find_pixels(source, header, at, (used == 0 ? most : std::min(used, most)) * entry);
    const std::uint64_t count = std::min({used == 0 ? most : used, most, (header.pixels - at) / entry});
    header.grey = true;
    for (std::size_t i = 0; i < count; ++i) {
        for (std::size_t c = 0; c < 3; ++c)
            header.palette.at(i).at(c) = static_cast<std::byte>(little(source, at + i * entry + 2 - c, 1));
        const auto& colour = header.palette.at(i);
        header.grey = header.grey && colour[0] == colour[1] && colour[0] == colour[2];
    }
}

Header read_header(const Source& source) {
    if (source.bytes.size() < file_header + 12)
        fail(source, "truncated BMP");
    Header header{.info_size = little(source, file_header, 4), .pixels = little(source, 10, 4)};
    const bool old = header.info_size == 12;
    const auto field = [&](std::uint64_t at, std::size_t size) {
        return at + size <= header.info_size ? little(source, file_header + at, size) : 0;
    };
    header.width = old ? field(4, 2) : field(4, 4);
    const auto height = old ? static_cast<std::int64_t>(static_cast<std::int16_t>(field(6, 2)))
                            : static_cast<std::int64_t>(static_cast<std::int32_t>(field(8, 4)));
    header.top_down = height < 0;
    header.height = static_cast<std::uint64_t>(header.top_down ? -height : height);
    header.bits = old ? field(10, 2) : field(14, 2);
    header.compression = old ? 0 : field(16, 4);
    refuse(source, header);
    const std::uint64_t end = read_masks(source, header);
    if (header.pixels < end)
        fail(source, "corrupt BMP: the pixels begin within the header");
    if (header.bits <= 8)
        read_palette(source, header, end, old ? 0 : field(32, 4));
    // A run of two bytes makes 255 pixels, and rows may end early.
    check_size(source, header.width, header.height,
               header.compression == rle8 || header.compression == rle4
                   ? 1024
                   : 8.0 / static_cast<double>(header.bits));
    return header;
}

/// Of the file; an alpha that says nothing is left out later.
Form form_of(const Header& header) {
    const bool alpha = header.alpha || (header.bits == 32 && header.compression == plain);
    return {static_cast<int>(header.width), static_cast<int>(header.height),
            header.bits <= 8 ? header.grey ? 1 : 3
            : alpha          ? 4
                             : 3,
            Depth::u8};
}

/// Rows that are not packed, one after another.
class PlainRows {
  public:
    PlainRows(const Source& source, const Header& header)
        : header_(header), stride_((header.width * header.bits + 31) / 32 * 4) {
        if (header.pixels > source.bytes.size() ||
            source.bytes.size() - header.pixels < stride_ * header.height)
            fail(source, "truncated BMP");
        data_ = source.bytes.subspan(header.pixels);
    }

    void read(Image& image) const {
        for (int y = 0; y < image.height(); ++y) {
            const auto stored = static_cast<std::size_t>(header_.top_down ? y : image.height() - 1 - y);
            const auto row = data_.subspan(stored * stride_, stride_);
            std::byte* out = image.row(y);
            if (header_.bits <= 8) {
                indices(row, out, image);
            } else if (header_.bits == 24) {
                for (std::size_t x = 0; x < header_.width; ++x, out += 3)
                    std::reverse_copy(&row[3 * x], &row[3 * x] + 3, out);
            } else {
                masked(row, out, static_cast<std::size_t>(image.channels()));
            }
        }
    }

  private:
    void indices(std::span<const std::byte> row, std::byte* out, const Image& image) const {
        const std::size_t most = (std::size_t{1} << header_.bits) - 1;
        for (std::size_t x = 0; x < header_.width; ++x) {
            const std::size_t shift = 8 - header_.bits - x * header_.bits % 8;
            const auto byte = std::to_integer<std::size_t>(row[x * header_.bits / 8]);
            const auto& colour = header_.palette.at(byte >> shift & most);
            out = std::copy_n(colour.begin(), image.channels(), out);
        }
    }

    void masked(std::span<const std::byte> row, std::byte* out, std::size_t channels) const {
        const std::size_t size = header_.bits / 8;
        for (std::size_t x = 0; x < header_.width; ++x) {
            const auto value = static_cast<std::uint32_t>(little_number(row.subspan(x * size, size)));
            for (std::size_t c = 0; c < channels; ++c)
                *out++ = static_cast<std::byte>(part_of(value, header_.masks.at(c)));
        }
    }

    /// The bits under the mask, as 0 to 255.
    static std::uint64_t part_of(std::uint32_t value, std::uint32_t mask) {
        if (mask == 0)
            return 0;
        const auto shift = static_cast<unsigned>(std::countr_zero(mask));
        const std::uint64_t most = mask >> shift;
        return (((value & mask) >> shift) * std::uint64_t{255} + most / 2) / most;
    }

    const Header& header_;
    std::size_t stride_;
    std::span<const std::byte> data_;
};

/// Runs of palette indices: a count and a value, or 0 and a command. Pixels that no run covers get the first
/// colour, as in most programs.
class Runs {
  public:
    Runs(const Source& source, const Header& header, Image& image)
        : source_(source), header_(header), image_(image), at_(header.pixels) {}

    void read() {
        for (int y = 0; y < image_.height(); ++y) {
            for (x_ = 0, y_ = y; x_ < image_.width();)
                put(0);
        }
        x_ = 0;
        y_ = 0;
        while (!done_ && !(at_ >= source_.bytes.size() && whole())) // some writers leave out the end mark
            step();
    }

  private:
    std::size_t take() {
        if (at_ >= source_.bytes.size())
            fail(source_, "truncated BMP");
        return std::to_integer<std::size_t>(source_.bytes[at_++]);
    }

    void step() {
        const std::size_t count = take();
        const std::size_t value = take();
        if (count > 0) {
            for (std::size_t i = 0; i < count; ++i)
                put(header_.compression == rle8 ? value : i % 2 == 0 ? value >> 4U : value & 15U);
        } else if (value == 0) {
            x_ = 0;
            ++y_;
        } else if (value == 1) {
            done_ = true;
        } else if (value == 2) {
            x_ += static_cast<int>(take());
            y_ += static_cast<int>(take());
        } else {
            literals(value);
        }
        // Pixels beyond the picture are not kept, but there is a limit to them.
        if (y_ > image_.height() || x_ > image_.width() + most_beyond)
            fail(source_, "corrupt BMP: runs beyond the image");
    }

    /// Padded to two bytes.
    void literals(std::size_t count) {
        const std::size_t bytes = header_.compression == rle8 ? count : (count + 1) / 2;
        std::size_t byte = 0;
        for (std::size_t i = 0; i < count; ++i) {
            if (header_.compression == rle8 || i % 2 == 0)
                byte = take();
            put(header_.compression == rle8 ? byte : i % 2 == 0 ? byte >> 4U : byte & 15U);
        }
        if (bytes % 2 != 0)
            take();
    }

    void put(std::size_t index) {
        if (x_ < image_.width() && y_ < image_.height()) {
            std::byte* out =
                image_.row(image_.height() - 1 - y_) + static_cast<std::size_t>(x_) * image_.pixel_bytes();
            std::copy_n(header_.palette.at(index).begin(), image_.channels(), out);
        }
        ++x_;
    }

    bool whole() const {
        return y_ >= image_.height() || (y_ == image_.height() - 1 && x_ >= image_.width());
    }

    static constexpr int most_beyond = 1 << 16;

    const Source& source_;
    const Header& header_;
    Image& image_;
    std::size_t at_;
    int x_ = 0;
    int y_ = 0; ///< from the bottom
    bool done_ = false;
};

/// Where the header does not mention alpha: the fourth byte of a pixel is alpha unless all are 0 or all 255.
bool is_needless(const Image& image) {
    const auto values = image.values<std::uint8_t>();
    bool clear = true;
    bool opaque = true;
    for (std::size_t i = 3; i < values.size() && (clear || opaque); i += 4) {
        clear = clear && values[i] == 0;
        opaque = opaque && values[i] == 255;
    }
    return clear || opaque;
}

/// Pixels on a metre, across and down.
std::optional<Density> read_density(const Source& source, const Header& header) {
    constexpr std::uint64_t most = 0x7fffffff;
    const std::uint64_t x = little(source, file_header + 24, 4);
    const std::uint64_t y = little(source, file_header + 28, 4);
    if (header.info_size < 40 || x == 0 || x > most || y == 0 || y > most)
        return std::nullopt;
    return Density{static_cast<double>(x), static_cast<double>(y), Density::Unit::metre};
}

/// Version 5 has a place for an ICC profile.
Metadata metadata_of(const Source& source, const Header& header) {
    Metadata metadata{.density = read_density(source, header)};
    constexpr std::uint64_t embedded = 0x4d424544; // "MBED"
    if (header.info_size < 124 || little(source, file_header + 56, 4) != embedded)
        return metadata;
    const std::uint64_t offset = file_header + little(source, file_header + 112, 4);
    const std::uint64_t size = little(source, file_header + 116, 4);
    if (offset <= source.bytes.size() && size <= source.bytes.size() - offset)
        metadata.icc = {source.bytes.begin() + static_cast<std::ptrdiff_t>(offset),
                        source.bytes.begin() + static_cast<std::ptrdiff_t>(offset + size)};
    return sound(source, std::move(metadata));
}

} // namespace

Summary inspect_bmp(const Source& source) {
    const Header header = read_header(source);
    const Form form = form_of(header);
    if (form.channels == 4 && !header.alpha)
        return inspect_decoded<decode_bmp>(source);
    return {.form = form, .metadata = metadata_of(source, header)};
}

Image decode_bmp(const Source& source) {
    const Header header = read_header(source);
    Image image(form_of(header));
    if (header.compression == rle8 || header.compression == rle4) {
        Runs(source, header, image).read();
    } else {
        PlainRows(source, header).read(image);
    }
    if (image.channels() == 4 && !header.alpha && is_needless(image))
        image = first_channels(image, 3);
    image.set_metadata(metadata_of(source, header));
    return image;
}

} // namespace glproc::codecs
