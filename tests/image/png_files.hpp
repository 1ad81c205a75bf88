// PNG files of every kind, written by libpng: what our reader must understand, by a writer that is not ours.
#pragma once

#include "image/pictures.hpp"

#include <csetjmp>
#include <stdexcept>

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
    png_write_info(png, info);
    const int passes = png_set_interlace_handling(png);
    for (int pass = 0; pass < passes; ++pass) {
        for (auto& row : spec.rows)
            png_write_row(png, row.data());
    }
    png_write_end(png, nullptr);
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

} // namespace glproc::test
