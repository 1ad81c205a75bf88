// TGA reading: grey, RGB and palettes of 8 to 32 bits, plain and in runs, from any corner.
// Truevision TGA File Format Specification, version 2.0. The writer is in stb.cpp.
#include "glproc/files/codecs/big_endian.hpp"
#include "glproc/files/codecs/little.hpp"
#include "glproc/image/colour.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include <fmt/format.h>

namespace glproc::codecs {
namespace {

enum Kind : unsigned { palette = 1, colour = 2, grey = 3 };

struct Header {
    unsigned kind = 0;
    bool runs = false;
    std::size_t pixels = 0; ///< where they begin
    std::uint64_t width = 0;
    std::uint64_t height = 0;
    std::size_t bits = 0; ///< as stored: of a pixel or of its place in the palette
    bool top_down = false;
    bool right_to_left = false;
    std::size_t first_index = 0; ///< which the palette's first entry stands for
    std::size_t entries = 0;
    std::size_t entry_bits = 0;
    bool drops_alpha = false;   ///< what is stored there is none
    bool premultiplied = false; ///< colour times alpha is stored
};

int channels_of(std::size_t bits) {
    return bits == 8 ? 1 : bits == 32 ? 4 : 3;
}

int channels_of(const Header& header) {
    if (header.kind == grey)
        return header.bits == 16 ? 2 : 1;
    return channels_of(header.kind == palette ? header.entry_bits : header.bits);
}

/// Version 2.0 ends with a footer, which says where a further area tells what alpha is.
void read_attributes(const Source& source, Header& header) {
    constexpr std::size_t area = 495;
    const std::size_t size = source.bytes.size();
    if (size < tga_footer_bytes + area || !ends_as_tga(source.bytes))
        return;
    const auto at = static_cast<std::size_t>(little(source, size - tga_footer_bytes, 4));
    if (at == 0 || at > size - area || little(source, at, 2) < area)
        return;
    const auto type = little(source, at + 494, 1);
    header.drops_alpha = type < 3;
    header.premultiplied = type == 4;
}

void refuse(const Source& source, const Header& header) {
    const auto is_colour = [](std::size_t bits) {
        return bits == 15 || bits == 16 || bits == 24 || bits == 32;
    };
    const bool fits = header.kind == palette ? (header.bits == 8 || header.bits == 16) &&
                                                   is_colour(header.entry_bits) && header.entries > 0
                      : header.kind == colour ? is_colour(header.bits)
                      : header.kind == grey   ? header.bits == 8 || header.bits == 16
                                              : false;
    if (!fits)
        fail(source, "corrupt or unsupported TGA");
}

Header read_header(const Source& source) {
    constexpr std::size_t size = 18;
    if (source.bytes.size() < size)
        fail(source, "truncated TGA");
    const auto field = [&](std::size_t at, std::size_t count) {
        return static_cast<std::size_t>(little(source, at, count));
    };
    const std::size_t type = field(2, 1);
    Header header{.kind = static_cast<unsigned>(type & 7U),
                  .runs = (type & 8U) != 0,
                  .width = field(12, 2),
                  .height = field(14, 2),
                  .bits = field(16, 1),
                  .top_down = (field(17, 1) & 0x20U) != 0,
                  .right_to_left = (field(17, 1) & 0x10U) != 0};
    if (type > 11 || field(1, 1) > 1)
        fail(source, "corrupt or unsupported TGA");
    if (field(1, 1) == 1) { // a palette, which other kinds may have, too
        header.first_index = field(3, 2);
        header.entries = field(5, 2);
        header.entry_bits = field(7, 1);
    }
    header.pixels = size + field(0, 1) + header.entries * ((header.entry_bits + 7) / 8);
    refuse(source, header);
    read_attributes(source, header);
    // Two bytes at least make 128 pixels.
    check_size(source, header.width, header.height, header.runs ? 64 : 1);
    return header;
}

/// The colour that `bits` bits stand for, as red, green, blue and alpha or as grey and alpha.
void put_colour(std::span<const std::byte> stored, std::size_t bits, std::byte* out) {
    if (bits == 15 || bits == 16) {
        const auto value = static_cast<unsigned>(little_number(stored));
        for (unsigned c = 0; c < 3; ++c) {
            const unsigned part = value >> (10 - 5 * c) & 31U;
            out[c] = static_cast<std::byte>((part * 255 + 15) / 31);
        }
        return;
    }
    std::reverse_copy(stored.begin(), stored.begin() + 3, out);
    if (bits == 32)
        out[3] = stored[3];
}

/// Gives pixels one after another, runs unpacked, as they are in the picture.
class Pixels {
  public:
    Pixels(const Source& source, const Header& header)
        : source_(source), header_(header), channels_(static_cast<std::size_t>(channels_of(header))),
          at_(header.pixels) {
        if (header.kind == palette)
            read_palette();
    }

    void next(std::byte* out) {
        if (!header_.runs) {
            read_pixel(out);
            return;
        }
        if (left_ == 0) {
            const auto packet = std::to_integer<unsigned>(take(1)[0]);
            left_ = (packet & 127U) + 1;
            repeated_ = (packet & 128U) != 0;
            if (repeated_)
                read_pixel(pixel_.data());
        }
        --left_;
        if (repeated_) {
            std::copy_n(pixel_.begin(), channels_, out);
        } else {
            read_pixel(out);
        }
    }

  private:
    std::span<const std::byte> take(std::size_t count) {
        if (at_ > source_.bytes.size() || count > source_.bytes.size() - at_)
            fail(source_, "truncated TGA");
        at_ += count;
        return source_.bytes.subspan(at_ - count, count);
    }

    void read_palette() {
        const std::size_t size = (header_.entry_bits + 7) / 8;
        at_ = header_.pixels - header_.entries * size;
        colours_.resize(header_.entries * channels_);
        for (std::size_t i = 0; i < header_.entries; ++i)
            put_colour(take(size), header_.entry_bits, &colours_[i * channels_]);
    }

    void read_pixel(std::byte* out) {
        const auto stored = take((header_.bits + 7) / 8);
        if (header_.kind == colour)
            return put_colour(stored, header_.bits, out);
        if (header_.kind == grey)
            return static_cast<void>(std::ranges::copy(stored, out));
        // A place beyond the palette is black.
        const std::size_t index = static_cast<std::size_t>(little_number(stored)) - header_.first_index;
        if (index < header_.entries) {
            std::copy_n(colours_.begin() + static_cast<std::ptrdiff_t>(index * channels_), channels_, out);
        } else {
            std::fill_n(out, channels_, std::byte{0});
        }
    }

    const Source& source_;
    const Header& header_;
    std::size_t channels_;
    std::size_t at_;
    std::vector<std::byte> colours_;
    std::array<std::byte, 4> pixel_{};
    unsigned left_ = 0; ///< pixels of the packet under way
    bool repeated_ = false;
};

Form form_of(const Header& header, int channels) {
    return {static_cast<int>(header.width), static_cast<int>(header.height), channels, Depth::u8};
}

Form form_of(const Header& header) {
    const int channels = channels_of(header);
    return form_of(header, header.drops_alpha ? opaque_channels(channels) : channels);
}

/// Colour divided by alpha.
void divide(Image& image) {
    const auto values = image.values<std::uint8_t>();
    const auto channels = static_cast<std::size_t>(image.channels());
    for (std::size_t i = 0; i < values.size(); i += channels) {
        const int alpha = values[i + channels - 1];
        for (std::size_t c = 0; c + 1 < channels && alpha > 0; ++c)
            values[i + c] = static_cast<std::uint8_t>(std::min((values[i + c] * 255 + alpha / 2) / alpha, 255));
    }
}

} // namespace

Summary inspect_tga(const Source& source) {
    return {.form = form_of(read_header(source))};
}

Image decode_tga(const Source& source) {
    const Header header = read_header(source);
    Image image(form_of(header, channels_of(header)));
    Pixels pixels(source, header);
    for (int i = 0; i < image.height(); ++i) {
        std::byte* row = image.row(header.top_down ? i : image.height() - 1 - i);
        for (int j = 0; j < image.width(); ++j) {
            const int x = header.right_to_left ? image.width() - 1 - j : j;
            pixels.next(row + static_cast<std::size_t>(x) * image.pixel_bytes());
        }
    }
    if (image.has_alpha() && header.premultiplied)
        divide(image);
    return image.has_alpha() && header.drops_alpha ? first_channels(image, opaque_channels(image.channels()))
                                                   : std::move(image);
}

} // namespace glproc::codecs
