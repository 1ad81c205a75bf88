// PSD and PSB: the flattened picture of a Photoshop file, 1, 8, 16 or 32 bits, plain or packed (PackBits).
// https://www.adobe.com/devnet-apps/photoshop/fileformatashtml/
#include "glproc/files/codecs/psd.hpp"

#include "glproc/files/codecs/big_endian.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>

#include <fmt/format.h>

namespace glproc::codecs {
namespace {

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

/// One value of a channel, high byte first.
template <class T>
T value_at(std::span<const std::byte> row, std::size_t x) {
    const auto bits = static_cast<std::uint32_t>(big_number(row.subspan(x * sizeof(T)), sizeof(T)));
    if constexpr (std::is_same_v<T, float>) {
        return std::bit_cast<float>(bits);
    } else {
        return static_cast<T>(bits);
    }
}

/// Photoshop stores half transparent pixels blended with white; this takes the white out again.
template <class T>
void remove_white(std::span<T> values, std::size_t channels) {
    const double full = std::is_same_v<T, float> ? 1.0 : static_cast<double>(std::numeric_limits<T>::max());
    for (std::size_t i = 0; i < values.size(); i += channels) {
        const double alpha = values[i + channels - 1] / full;
        if (!(alpha > 0) || alpha >= 1)
            continue;
        for (std::size_t c = 0; c + 1 < channels; ++c) {
            const double colour = (values[i + c] - full * (1 - alpha)) / alpha;
            if constexpr (std::is_same_v<T, float>) {
                values[i + c] = static_cast<float>(colour);
            } else {
                values[i + c] = static_cast<T>(std::lround(std::clamp(colour, 0.0, full)));
            }
        }
    }
}

/// The rows of the file's channels, one channel after another.
class Rows {
  public:
    Rows(const Source& source, PsdScanner& scanner, const PsdHeader& header)
        : source_(source), scanner_(scanner), row_((header.width * header.bits + 7) / 8) {
        const std::uint64_t compression = scanner.number(2);
        if (compression > 1)
            fail(source, fmt::format("unsupported PSD: compression {}", compression));
        packed_ = compression == 1;
        size_bytes_ = header.big ? 4 : 2;
        // Two packed bytes make 128 at most.
        check_size(source, header.width, header.height,
                   (packed_ ? 64.0 : 1.0) * 8 / static_cast<double>(header.bits));
        if (packed_) // the sizes of all rows of all channels
            sizes_ = scanner.take(header.stored_channels * header.height * size_bytes_);
    }

    std::span<const std::byte> next() {
        if (!packed_)
            return scanner_.take(row_.size());
        const std::size_t size = big_number(sizes_, size_bytes_);
        sizes_ = sizes_.subspan(size_bytes_);
        unpack(source_, scanner_.take(size), row_);
        return row_;
    }

  private:
    const Source& source_;
    PsdScanner& scanner_;
    std::vector<std::byte> row_;
    bool packed_ = false;
    std::size_t size_bytes_ = 2;
    std::span<const std::byte> sizes_;
};

/// Grey and RGB, with alpha.
template <class T>
void read_colours(const PsdHeader& header, Rows& rows, Image& image) {
    const auto channels = static_cast<std::size_t>(image.channels());
    const std::span<T> values = image.values<T>();
    for (std::size_t i = 0; i < channels * header.height; ++i) {
        const auto row = rows.next();
        T* out = &values[i % header.height * header.width * channels + i / header.height];
        for (std::size_t x = 0; x < header.width; ++x)
            out[x * channels] = value_at<T>(row, x);
    }
    if (image.has_alpha())
        remove_white(values, channels);
}

/// By their profile. The inks stand one after the other, and are stored as what is left of the light.
template <class T>
void read_profiled_inks(const PsdHeader& header, Rows& rows, Image& image, const InkColours& colours) {
    const std::size_t pixels = static_cast<std::size_t>(header.width) * header.height;
    std::vector<T> inks(4 * pixels);
    for (std::size_t i = 0; i < 4 * header.height; ++i) {
        const auto row = rows.next();
        T* out = &inks[i % header.height * header.width * 4 + i / header.height];
        for (std::size_t x = 0; x < header.width; ++x)
            out[4 * x] = static_cast<T>(std::numeric_limits<T>::max() - value_at<T>(row, x));
    }
    if (!image.has_alpha())
        return colours.convert(inks, image.values<T>().data());
    std::vector<T> rgb(3 * pixels);
    colours.convert(inks, rgb.data());
    const std::span<T> values = image.values<T>();
    for (std::size_t y = 0; y < header.height; ++y) {
        const auto row = rows.next();
        for (std::size_t x = 0; x < header.width; ++x) {
            const std::size_t i = y * header.width + x;
            std::copy_n(&rgb[3 * i], 3, &values[4 * i]);
            values[4 * i + 3] = value_at<T>(row, x);
        }
    }
    remove_white(values, 4);
}

/// Inks are stored as what is left of the light: R = C·K, likewise G and B.
template <class T>
void read_inks(const PsdHeader& header, Rows& rows, Image& image) {
    const auto channels = static_cast<std::size_t>(image.channels());
    const std::span<T> values = image.values<T>();
    const double full = std::numeric_limits<T>::max();
    for (std::size_t i = 0; i < (header.transparent ? 5U : 4U) * header.height; ++i) {
        const auto row = rows.next();
        const std::size_t ink = i / header.height;
        T* out = &values[i % header.height * header.width * channels];
        for (std::size_t x = 0; x < header.width; ++x, out += channels) {
            const T value = value_at<T>(row, x);
            if (ink == 3) { // black, after the others
                for (std::size_t c = 0; c < 3; ++c)
                    out[c] = static_cast<T>(std::lround(out[c] * (value / full)));
            } else {
                out[std::min<std::size_t>(ink, 3)] = value;
            }
        }
    }
    if (image.has_alpha())
        remove_white(values, channels);
}

void read_indices(const PsdHeader& header, Rows& rows, Image& image) {
    for (int y = 0; y < image.height(); ++y) {
        std::byte* out = image.row(y);
        for (const std::byte index : rows.next()) {
            const auto place = std::to_integer<std::size_t>(index);
            for (std::size_t c = 0; c < 3; ++c)
                *out++ = header.palette[256 * c + place];
            if (image.channels() == 4)
                *out++ = static_cast<std::byte>(place == header.transparent_index ? 0 : 255);
        }
    }
}

/// One bit a pixel, 1 is black.
void read_bits(Rows& rows, Image& image) {
    for (int y = 0; y < image.height(); ++y) {
        const auto row = rows.next();
        for (std::size_t x = 0; x < static_cast<std::size_t>(image.width()); ++x) {
            const bool black = (row[x / 8] >> (7 - x % 8) & std::byte{1}) != std::byte{0};
            image.row(y)[x] = black ? std::byte{0} : std::byte{255};
        }
    }
}

template <class T>
void read_values(const PsdHeader& header, Rows& rows, Image& image) {
    if (header.mode != PsdMode::cmyk)
        return read_colours<T>(header, rows, image);
    if constexpr (std::is_integral_v<T>)
        header.inks ? read_profiled_inks<T>(header, rows, image, *header.inks) : read_inks<T>(header, rows, image);
}

} // namespace

Summary inspect_psd(const Source& source) {
    PsdScanner scanner(source);
    PsdHeader header = read_psd_header(source, scanner);
    return {.form = header.form(), .metadata = std::move(header.metadata)};
}

Image decode_psd(const Source& source) {
    PsdScanner scanner(source);
    PsdHeader header = read_psd_header(source, scanner);
    Rows rows(source, scanner, header);
    Image image(header.form());
    if (header.mode == PsdMode::bitmap) {
        read_bits(rows, image);
    } else if (header.mode == PsdMode::indexed) {
        read_indices(header, rows, image);
    } else if (image.depth() == Depth::u8) {
        read_values<std::uint8_t>(header, rows, image);
    } else if (image.depth() == Depth::u16) {
        read_values<std::uint16_t>(header, rows, image);
    } else {
        read_values<float>(header, rows, image);
    }
    image.set_metadata(std::move(header.metadata));
    return image;
}

} // namespace glproc::codecs
