// PNG writing: one filter for the whole picture and libdeflate, several times faster than zlib at the same
// size. https://www.w3.org/TR/png-3/
#include "glproc/image/png_write.hpp"

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

/// Memory that is not zeroed first; at the speed of this writer zeroing would show.
template <class T>
using Buffer = std::unique_ptr<T[]>; // NOLINT(modernize-avoid-c-arrays)

template <class T>
Buffer<T> buffer(std::size_t size) {
    return std::make_unique_for_overwrite<T[]>(size); // NOLINT(modernize-avoid-c-arrays)
}

/// Filters and compresses rows of one picture.
class Packer {
  public:
    Packer(const Form& form, std::span<const std::byte> rows, int level)
        : form_(form), rows_(rows), filterer_(form),
          compressor_(libdeflate_alloc_compressor(level), libdeflate_free_compressor) {
        if (compressor_ == nullptr)
            throw std::bad_alloc();
        const std::size_t size = filterer_.bytes() * static_cast<std::size_t>(form.height);
        bound_ = libdeflate_zlib_compress_bound(compressor_.get(), size);
        filtered_ = buffer<std::uint8_t>(size);
        packed_ = buffer<std::byte>(bound_);
    }

    /// The zlib stream of the rows for which `wanted` is true, valid until the next call.
    template <class Wanted>
    std::span<const std::byte> pack(PngFilter filter, Wanted wanted) {
        std::uint8_t* out = filtered_.get();
        const std::byte* row = rows_.data();
        const std::byte* above = nullptr;
        for (int y = 0; y < form_.height; ++y, above = row, row += form_.row_bytes()) {
            if (wanted(y)) {
                filterer_.write(filter, row, above, out);
                out += filterer_.bytes();
            }
        }
        const auto size = static_cast<std::size_t>(out - filtered_.get());
        return {packed_.get(),
                libdeflate_zlib_compress(compressor_.get(), filtered_.get(), size, packed_.get(), bound_)};
    }

  private:
    Form form_;
    std::span<const std::byte> rows_;
    PngFilterer filterer_;
    std::unique_ptr<libdeflate_compressor, decltype(&libdeflate_free_compressor)> compressor_;
    std::size_t bound_ = 0;
    Buffer<std::uint8_t> filtered_;
    Buffer<std::byte> packed_;
};

/// On four bands of eight rows, spread over the picture.
PngFilter choose_filter(const Form& form, Packer& packer) {
    const int spacing = std::max(8, form.height / 4);
    std::size_t best_size = std::numeric_limits<std::size_t>::max();
    PngFilter best = PngFilter::none;
    for (const PngFilter filter : {PngFilter::up, PngFilter::sub, PngFilter::none}) {
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

constexpr std::size_t header_size = 13;
constexpr std::array<unsigned char, 8> signature{0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};

} // namespace

void PngFilterer::write(PngFilter filter, const std::byte* row, const std::byte* above, std::uint8_t* out) {
    const std::size_t n = form_.row_bytes();
    const std::uint8_t* here = big_endian(row, here_);
    *out++ = static_cast<std::uint8_t>(filter);
    if (filter == PngFilter::none || (filter == PngFilter::up && above == nullptr)) {
        std::memcpy(out, here, n);
    } else if (filter == PngFilter::sub) {
        const std::size_t pixel = form_.pixel_bytes();
        std::copy_n(here, pixel, out);
        for (std::size_t i = pixel; i < n; ++i)
            out[i] = static_cast<std::uint8_t>(here[i] - here[i - pixel]);
    } else {
        const std::uint8_t* other = big_endian(above, above_);
        for (std::size_t i = 0; i < n; ++i)
            out[i] = static_cast<std::uint8_t>(here[i] - other[i]);
    }
}

const std::uint8_t* PngFilterer::big_endian(const std::byte* row, std::vector<std::uint8_t>& buffer) const {
    const auto* bytes = reinterpret_cast<const std::uint8_t*>(row);
    if (form_.depth == Depth::u8 || std::endian::native == std::endian::big)
        return bytes;
    for (std::size_t i = 0; i < buffer.size(); i += 2) {
        buffer[i] = bytes[i + 1];
        buffer[i + 1] = bytes[i];
    }
    return buffer.data();
}

PngFilter choose_png_filter(const Form& form, std::span<const std::byte> rows, int level) {
    Packer packer(form, rows, level);
    return choose_filter(form, packer);
}

std::byte* seal_png_chunk(std::byte* chunk, const char* type, std::size_t data_size) {
    put32(chunk, data_size);
    std::memcpy(chunk + 4, type, 4);
    put32(chunk + 8 + data_size, libdeflate_crc32(0, chunk + 4, data_size + 4));
    return chunk + png_chunk_overhead + data_size;
}

std::byte* write_png_start(const Form& form, std::byte* out) {
    std::memcpy(out, signature.data(), signature.size());
    std::byte* chunk = out + signature.size();
    put32(chunk + 8, static_cast<std::uint64_t>(form.width));
    put32(chunk + 12, static_cast<std::uint64_t>(form.height));
    constexpr std::array<std::byte, 4> colour_types{std::byte{0}, std::byte{4}, std::byte{2}, std::byte{6}};
    chunk[16] = static_cast<std::byte>(form.depth == Depth::u8 ? 8 : 16);
    chunk[17] = colour_types.at(static_cast<std::size_t>(form.channels - 1));
    chunk[18] = chunk[19] = chunk[20] = std::byte{0}; // deflate, the five filters, not interlaced
    return seal_png_chunk(chunk, "IHDR", header_size);
}

std::vector<std::byte> encode_png(const Job& job) {
    const Form& form = job.image.form();
    Packer packer(form, job.image.bytes(), job.options.png_level);
    const PngFilter filter = choose_filter(form, packer);
    const std::span<const std::byte> data = packer.pack(filter, [](int) { return true; });
    constexpr std::size_t max_chunk = 0x7fffffff;
    if (data.size() > max_chunk)
        fail(job, "the compressed image is larger than 2 GiB, too large for one PNG chunk");

    const std::vector<std::byte> metadata = png_metadata(job.image.metadata());
    std::vector<std::byte> file(png_start_size + 2 * png_chunk_overhead + metadata.size() + data.size());
    std::byte* chunk = write_png_start(form, file.data());
    chunk = std::copy(metadata.begin(), metadata.end(), chunk);
    std::memcpy(chunk + 8, data.data(), data.size());
    seal_png_chunk(seal_png_chunk(chunk, "IDAT", data.size()), "IEND", 0);
    return file;
}

} // namespace glproc::codecs
