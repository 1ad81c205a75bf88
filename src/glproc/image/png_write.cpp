// PNG writing: one filter for the whole picture and libdeflate, several times faster than zlib at the same
// size. https://www.w3.org/TR/png-3/
#include "glproc/image/codecs.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <limits>
#include <memory>
#include <new>

#include <libdeflate.h>

namespace glproc::codecs {
namespace {

/// The filters worth their time: each row as it is, less its left neighbour, or less the row above.
enum class Filter : std::uint8_t { none = 0, sub = 1, up = 2 };

/// Rows as PNG wants them: 16-bit values with the high byte first.
class Rows {
  public:
    explicit Rows(const Image& image) : image_(image), above_(image.row_bytes()), here_(image.row_bytes()) {}

    std::size_t bytes() const { return image_.row_bytes(); }

    /// Row y after `filter`, with the filter's number before it: bytes() + 1 bytes at `out`.
    void write(int y, Filter filter, std::uint8_t* out) {
        const std::size_t n = bytes();
        const std::uint8_t* row = big_endian(y, here_);
        *out++ = static_cast<std::uint8_t>(filter);
        if (filter == Filter::none) {
            std::memcpy(out, row, n);
        } else if (filter == Filter::sub) {
            const std::size_t pixel = image_.pixel_bytes();
            std::copy_n(row, pixel, out);
            for (std::size_t i = pixel; i < n; ++i)
                out[i] = static_cast<std::uint8_t>(row[i] - row[i - pixel]);
        } else {
            const std::uint8_t* above = y == 0 ? nullptr : big_endian(y - 1, above_);
            if (above == nullptr) {
                std::memcpy(out, row, n);
            } else {
                for (std::size_t i = 0; i < n; ++i)
                    out[i] = static_cast<std::uint8_t>(row[i] - above[i]);
            }
        }
    }

  private:
    const std::uint8_t* big_endian(int y, std::vector<std::uint8_t>& buffer) const {
        const auto* row = reinterpret_cast<const std::uint8_t*>(image_.row(y));
        if (image_.depth() == Depth::u8 || std::endian::native == std::endian::big)
            return row;
        for (std::size_t i = 0; i < bytes(); i += 2) {
            buffer[i] = row[i + 1];
            buffer[i + 1] = row[i];
        }
        return buffer.data();
    }

    const Image& image_;
    std::vector<std::uint8_t> above_;
    std::vector<std::uint8_t> here_;
};

/// Memory that is not zeroed first; at the speed of this writer zeroing would show.
template <class T>
using Buffer = std::unique_ptr<T[]>; // NOLINT(modernize-avoid-c-arrays)

template <class T>
Buffer<T> buffer(std::size_t size) {
    return std::make_unique_for_overwrite<T[]>(size); // NOLINT(modernize-avoid-c-arrays)
}

/// Filters and compresses rows of one image.
class Packer {
  public:
    Packer(const Image& image, int level)
        : image_(image), rows_(image),
          compressor_(libdeflate_alloc_compressor(level), libdeflate_free_compressor) {
        if (compressor_ == nullptr)
            throw std::bad_alloc();
        const std::size_t size = (rows_.bytes() + 1) * static_cast<std::size_t>(image.height());
        bound_ = libdeflate_zlib_compress_bound(compressor_.get(), size);
        filtered_ = buffer<std::uint8_t>(size);
        packed_ = buffer<std::byte>(bound_);
    }

    /// The zlib stream of the rows for which `wanted` is true, valid until the next call.
    template <class Wanted>
    std::span<const std::byte> pack(Filter filter, Wanted wanted) {
        std::uint8_t* out = filtered_.get();
        for (int y = 0; y < image_.height(); ++y) {
            if (wanted(y)) {
                rows_.write(y, filter, out);
                out += rows_.bytes() + 1;
            }
        }
        const auto size = static_cast<std::size_t>(out - filtered_.get());
        return {packed_.get(),
                libdeflate_zlib_compress(compressor_.get(), filtered_.get(), size, packed_.get(), bound_)};
    }

  private:
    const Image& image_;
    Rows rows_;
    std::unique_ptr<libdeflate_compressor, decltype(&libdeflate_free_compressor)> compressor_;
    std::size_t bound_ = 0;
    Buffer<std::uint8_t> filtered_;
    Buffer<std::byte> packed_;
};

/// The filter that compresses best on four bands of eight rows, spread over the picture. Photographs take
/// `up` (neighbouring rows are alike, and it costs least), drawings with few colours `none`.
Filter choose_filter(const Image& image, Packer& packer) {
    const int spacing = std::max(8, image.height() / 4);
    std::size_t best_size = std::numeric_limits<std::size_t>::max();
    Filter best = Filter::none;
    for (const Filter filter : {Filter::up, Filter::sub, Filter::none}) {
        const std::size_t size = packer.pack(filter, [&](int y) { return y % spacing < 8; }).size();
        if (size < best_size) {
            best_size = size;
            best = filter;
        }
    }
    return best;
}

void put32(std::byte* out, std::uint64_t value) {
    for (unsigned i = 0; i < 4; ++i)
        out[i] = static_cast<std::byte>(value >> (24 - 8 * i));
}

/// Fills in length, type and checksum around a chunk's data that stands at `chunk` + 8. Returns the chunk's
/// end.
std::byte* seal_chunk(std::byte* chunk, const char* type, std::size_t data_size) {
    put32(chunk, data_size);
    std::memcpy(chunk + 4, type, 4);
    put32(chunk + 8 + data_size, libdeflate_crc32(0, chunk + 4, data_size + 4));
    return chunk + 12 + data_size;
}

constexpr std::size_t chunk_overhead = 12;
constexpr std::size_t header_size = 13;
constexpr std::array<unsigned char, 8> signature{0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};

/// Signature and IHDR. Returns where the next chunk goes.
std::byte* write_header(const Image& image, std::byte* out) {
    std::memcpy(out, signature.data(), signature.size());
    std::byte* chunk = out + signature.size();
    put32(chunk + 8, static_cast<std::uint64_t>(image.width()));
    put32(chunk + 12, static_cast<std::uint64_t>(image.height()));
    constexpr std::array<std::byte, 4> colour_types{std::byte{0}, std::byte{4}, std::byte{2}, std::byte{6}};
    chunk[16] = static_cast<std::byte>(image.depth() == Depth::u8 ? 8 : 16);
    chunk[17] = colour_types.at(static_cast<std::size_t>(image.channels() - 1));
    chunk[18] = chunk[19] = chunk[20] = std::byte{0}; // deflate, the five filters, not interlaced
    return seal_chunk(chunk, "IHDR", header_size);
}

} // namespace

std::vector<std::byte> encode_png(const Job& job) {
    Packer packer(job.image, job.options.png_level);
    const Filter filter = choose_filter(job.image, packer);
    const std::span<const std::byte> data = packer.pack(filter, [](int) { return true; });
    constexpr std::size_t max_chunk = 0x7fffffff;
    if (data.size() > max_chunk)
        fail(job, "the compressed image is larger than 2 GiB, too large for one PNG chunk");

    const std::vector<std::byte> metadata = png_metadata(job);
    std::vector<std::byte> file(signature.size() + 3 * chunk_overhead + header_size + metadata.size() +
                                data.size());
    std::byte* chunk = write_header(job.image, file.data());
    chunk = std::copy(metadata.begin(), metadata.end(), chunk);
    std::memcpy(chunk + 8, data.data(), data.size());
    seal_chunk(seal_chunk(chunk, "IDAT", data.size()), "IEND", 0);
    return file;
}

} // namespace glproc::codecs
