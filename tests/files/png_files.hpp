// PNG files of every kind, written by libpng: what our reader must understand, by a writer that is not ours.
#pragma once

#include "files/handmade_files.hpp"

#include <csetjmp>
#include <functional>
#include <stdexcept>

#include <libdeflate.h>
#include <png.h>

namespace glproc::test {

/// What goes into a PNG file as it stands there: rows of packed samples.
struct PngSpec {
    int width = 0;
    int height = 0;
    int bits = 8;
    int colour_type = PNG_COLOR_TYPE_RGB;
    bool interlaced = false;
    std::vector<std::vector<png_byte>>
        rows{}; ///< packed as in the file, 16-bit values with the high byte first
    std::vector<png_color> palette{};
    std::vector<png_byte> palette_alpha{};     ///< tRNS of a palette
    std::optional<png_color_16> transparent{}; ///< tRNS of grey or RGB
    int filters = 0;                           ///< PNG_FILTER_…; 0: libpng's choice
    int level = -1;                            ///< of zlib
    int window_bits = 0;                       ///< of zlib; 0: libpng's choice
    /// Sets what else is to stand in the file.
    std::function<void(png_structp, png_infop)> tell{};
};

inline Bytes write_png(PngSpec spec) {
    Bytes out;
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, nullptr, nullptr, nullptr);
    png_infop info = png_create_info_struct(png);
    if (setjmp(png_jmpbuf(png)) != 0) // NOLINT: nothing with a destructor is made below
        throw std::logic_error("libpng refuses the test picture");
    png_set_write_fn(
        png, &out,
        [](png_structp p, png_bytep data, std::size_t size) {
            auto& to = *static_cast<Bytes*>(png_get_io_ptr(p));
            const auto* bytes = reinterpret_cast<const std::byte*>(data);
            to.insert(to.end(), bytes, bytes + size);
        },
        nullptr);
    png_set_IHDR(png, info, static_cast<png_uint_32>(spec.width), static_cast<png_uint_32>(spec.height),
                 spec.bits, spec.colour_type, spec.interlaced ? PNG_INTERLACE_ADAM7 : PNG_INTERLACE_NONE,
                 PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    if (!spec.palette.empty())
        png_set_PLTE(png, info, spec.palette.data(), static_cast<int>(spec.palette.size()));
    if (!spec.palette_alpha.empty()) {
        png_set_tRNS(png, info, spec.palette_alpha.data(), static_cast<int>(spec.palette_alpha.size()),
                     nullptr);
    }
    if (spec.transparent)
        png_set_tRNS(png, info, nullptr, 0, &*spec.transparent);
    if (spec.tell)
        spec.tell(png, info);
    if (spec.filters != 0)
        png_set_filter(png, PNG_FILTER_TYPE_BASE, spec.filters);
    png_set_compression_level(png, spec.level);
    if (spec.window_bits != 0)
        png_set_compression_window_bits(png, spec.window_bits);
    png_write_info(png, info);
    const int passes = png_set_interlace_handling(png);
    for (int pass = 0; pass < passes; ++pass) {
        for (auto& row : spec.rows)
            png_write_row(png, row.data());
    }
    png_write_end(png, info);
    png_destroy_write_struct(&png, &info);
    return out;
}

/// A file of this kind with noise in it. Palette pictures get 2^bits random colours, every third half
/// transparent.
inline PngSpec noise_png(int width, int height, int bits, int colour_type, bool interlaced = false) {
    PngSpec spec{
        .width = width, .height = height, .bits = bits, .colour_type = colour_type, .interlaced = interlaced};
    const bool palette = colour_type == PNG_COLOR_TYPE_PALETTE;
    const int channels = palette ? 1
                                 : 1 + ((colour_type & PNG_COLOR_MASK_COLOR) != 0 ? 2 : 0) +
                                       ((colour_type & PNG_COLOR_MASK_ALPHA) != 0);
    const auto row_bytes =
        (static_cast<std::size_t>(width) * static_cast<std::size_t>(channels * bits) + 7) / 8;
    std::uint32_t i = 0;
    const auto next = [&] { return static_cast<png_byte>(hash(i++)); };
    for (int y = 0; y < height; ++y) {
        spec.rows.emplace_back(row_bytes);
        std::ranges::generate(spec.rows.back(), next);
    }
    for (int entry = 0; palette && entry < 1 << bits; ++entry) {
        spec.palette.push_back({next(), next(), next()});
        spec.palette_alpha.push_back(entry % 3 == 0 ? 128 : 255);
    }
    return spec;
}

/// The same without transparency.
inline PngSpec opaque_png(int width, int height, int bits, int colour_type, bool interlaced = false) {
    PngSpec spec = noise_png(width, height, bits, colour_type, interlaced);
    spec.palette_alpha.clear();
    return spec;
}

/// Sample `index` of a row as the file has it, 0 … 2^bits − 1.
inline int sample(const PngSpec& spec, int y, int index) {
    const auto& row = spec.rows.at(static_cast<std::size_t>(y));
    const auto i = static_cast<std::size_t>(index);
    if (spec.bits == 16)
        return row.at(2 * i) << 8 | row.at(2 * i + 1);
    const auto per_byte = static_cast<std::size_t>(8 / spec.bits);
    const auto shift = static_cast<int>(8 - spec.bits * static_cast<int>(i % per_byte + 1));
    return row.at(i / per_byte) >> shift & ((1 << spec.bits) - 1);
}

inline std::uint32_t big32(const Bytes& bytes, std::size_t at) {
    std::uint32_t value = 0;
    for (std::size_t i = 0; i < 4; ++i)
        value = value << 8U | std::to_integer<std::uint32_t>(bytes.at(at + i));
    return value;
}

struct Chunk {
    std::string type;
    Bytes data;
};

/// The chunks of a PNG file; checks lengths and checksums on the way.
inline std::vector<Chunk> chunks_of(const Bytes& png) {
    std::vector<Chunk> chunks;
    std::size_t at = 8;
    while (at < png.size()) {
        const std::uint32_t length = big32(png, at);
        REQUIRE(png.size() - at >= 12 + length);
        const std::byte* data = png.data() + at + 8;
        chunks.push_back(
            {std::string(reinterpret_cast<const char*>(data - 4), 4), Bytes(data, data + length)});
        CHECK(big32(png, at + 8 + length) == libdeflate_crc32(0, data - 4, length + 4));
        at += 12 + length;
    }
    return chunks;
}

/// Recomputes the checksum of the chunk of this type, so that a change to its data is all that is wrong with
/// the file.
inline void reseal(Bytes& png, std::string_view type) {
    const auto at = static_cast<std::size_t>(first_place(png, bytes_of(type)));
    const std::uint32_t length = big32(png, at - 4);
    const std::uint32_t sum = libdeflate_crc32(0, png.data() + at, length + 4);
    for (unsigned i = 0; i < 4; ++i)
        png.at(at + 4 + length + i) = static_cast<std::byte>(sum >> (24 - 8 * i));
}

/// A file of these chunks, their lengths and checksums filled in.
inline Bytes png_of(const std::vector<Chunk>& chunks) {
    Bytes png = bytes_of({0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'});
    for (const Chunk& chunk : chunks) {
        const Bytes body = bytes_of(chunk.type) + chunk.data;
        png = std::move(png) + big_endian(static_cast<std::uint32_t>(chunk.data.size()), 4) + body +
              big_endian(libdeflate_crc32(0, body.data(), body.size()), 4);
    }
    return png;
}

} // namespace glproc::test
