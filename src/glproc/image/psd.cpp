// PSD: the flattened picture of a Photoshop file, grey or RGB, 8 or 16 bit, plain or packed (PackBits).
// https://www.adobe.com/devnet-apps/photoshop/fileformatashtml/
#include "glproc/image/codecs.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

namespace glproc::codecs {
namespace {

/// Walks through a file whose numbers have the high byte first; wanting more than there is throws
/// Error(input).
class Scanner {
  public:
    explicit Scanner(const Source& source) : source_(source) {}

    std::span<const std::byte> take(std::uint64_t count) {
        if (count > source_.bytes.size() - position_)
            fail(source_, "truncated PSD");
        const auto bytes = source_.bytes.subspan(position_, count);
        position_ += count;
        return bytes;
    }

    std::uint64_t number(std::size_t size) {
        std::uint64_t value = 0;
        for (const std::byte byte : take(size))
            value = value << 8U | std::to_integer<std::uint64_t>(byte);
        return value;
    }

    /// A part that begins with its own length.
    void skip_section() { take(number(4)); }

  private:
    const Source& source_;
    std::size_t position_ = 0;
};

struct Header {
    std::uint64_t stored_channels = 0; ///< as many as the file has
    std::uint64_t width = 0;
    std::uint64_t height = 0;
    Depth depth = Depth::u8;
    int channels = 0; ///< as many as the picture has: colour, and alpha if there is more than colour
};

Header read_header(const Source& source, Scanner& scanner) {
    scanner.take(4);
    if (scanner.number(2) != 1)
        fail(source, "unsupported PSD: not of version 1");
    scanner.take(6);
    Header header;
    header.stored_channels = scanner.number(2);
    header.height = scanner.number(4);
    header.width = scanner.number(4);
    const std::uint64_t bits = scanner.number(2);
    const std::uint64_t mode = scanner.number(2);
    if (bits != 8 && bits != 16)
        fail(source, fmt::format("unsupported PSD: {} bits a value", bits));
    if (mode != 1 && mode != 3)
        fail(source, "unsupported PSD: neither grey nor RGB");
    const int colours = mode == 1 ? 1 : 3;
    if (header.stored_channels < static_cast<std::uint64_t>(colours) || header.stored_channels > 56)
        fail(source, fmt::format("corrupt PSD: {} channels", header.stored_channels));
    header.depth = bits == 8 ? Depth::u8 : Depth::u16;
    header.channels = header.stored_channels > static_cast<std::uint64_t>(colours) ? colours + 1 : colours;
    return header;
}

/// PackBits: n < 128 is followed by n + 1 bytes as they are, n > 128 by one byte that stands 257 − n times.
void unpack(const Source& source, std::span<const std::byte> packed, std::span<std::byte> row) {
    while (!packed.empty()) {
        const auto n = std::to_integer<std::size_t>(packed[0]);
        packed = packed.subspan(1);
        if (n == 128)
            continue;
        const std::size_t count = n < 128 ? n + 1 : 257 - n;
        const std::size_t needed = n < 128 ? count : 1;
        if (needed > packed.size() || count > row.size())
            fail(source, "corrupt PSD: a packed row has the wrong length");
        if (n < 128) {
            std::copy_n(packed.begin(), count, row.begin());
        } else {
            std::fill_n(row.begin(), count, packed[0]);
        }
        packed = packed.subspan(needed);
        row = row.subspan(count);
    }
    if (!row.empty())
        fail(source, "corrupt PSD: a packed row has the wrong length");
}

/// One row of one channel, high byte first, into its place among the image's channels.
template <class T>
void scatter(std::span<const std::byte> row, std::span<T> out, std::size_t channel, std::size_t channels) {
    for (std::size_t x = 0; x * sizeof(T) < row.size(); ++x) {
        std::uint32_t value = 0;
        for (const std::byte byte : row.subspan(x * sizeof(T), sizeof(T)))
            value = value << 8U | std::to_integer<std::uint32_t>(byte);
        out[x * channels + channel] = static_cast<T>(value);
    }
}

/// Photoshop stores half transparent pixels blended with white; this takes the white out again.
template <class T>
void remove_white(std::span<T> values, std::size_t channels) {
    const double full = std::numeric_limits<T>::max();
    for (std::size_t i = 0; i < values.size(); i += channels) {
        const double alpha = values[i + channels - 1] / full;
        if (alpha == 0 || alpha == 1)
            continue;
        for (std::size_t c = 0; c + 1 < channels; ++c) {
            const double colour = (values[i + c] - full * (1 - alpha)) / alpha;
            values[i + c] = static_cast<T>(std::lround(std::clamp(colour, 0.0, full)));
        }
    }
}

template <class T>
void read_channels(const Source& source, Scanner& scanner, const Header& header, bool packed, Image& image) {
    const std::size_t row_bytes = header.width * sizeof(T);
    std::span<const std::byte> sizes; // of the packed rows, two bytes each, for all channels of the file
    if (packed)
        sizes = scanner.take(header.stored_channels * header.height * 2);
    std::vector<std::byte> row(row_bytes);
    const auto channels = static_cast<std::size_t>(header.channels);
    for (std::size_t i = 0; i < channels * header.height; ++i) {
        if (packed) {
            const auto high = std::to_integer<std::size_t>(sizes[2 * i]);
            unpack(source, scanner.take(high << 8U | std::to_integer<std::size_t>(sizes[2 * i + 1])), row);
        } else {
            std::ranges::copy(scanner.take(row_bytes), row.begin());
        }
        const std::size_t y = i % header.height;
        scatter(std::span<const std::byte>(row),
                image.values<T>().subspan(y * header.width * channels, header.width * channels),
                i / header.height, channels);
    }
    if (image.has_alpha())
        remove_white(image.values<T>(), channels);
}

} // namespace

Image decode_psd(const Source& source) {
    Scanner scanner(source);
    const Header header = read_header(source, scanner);
    for (int section = 0; section < 3; ++section) // palette, resources, layers
        scanner.skip_section();
    const std::uint64_t compression = scanner.number(2);
    if (compression > 1)
        fail(source, fmt::format("unsupported PSD: compression {}", compression));
    const double pixels_per_byte = compression == 1 ? 64 : 1; // packed, two bytes make 128 at most
    Image image =
        allocate(source, header.width, header.height, header.channels, header.depth, pixels_per_byte);
    if (header.depth == Depth::u8) {
        read_channels<std::uint8_t>(source, scanner, header, compression == 1, image);
    } else {
        read_channels<std::uint16_t>(source, scanner, header, compression == 1, image);
    }
    return image;
}

} // namespace glproc::codecs
