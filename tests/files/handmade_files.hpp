// BMP, TGA, GIF and PSD files of kinds that our writer does not make, put together by hand.
#pragma once

#include "files/pictures.hpp"

namespace glproc::test {

inline Bytes little_endian(std::uint32_t value, int count) {
    Bytes bytes;
    for (int i = 0; i < count; ++i)
        bytes.push_back(static_cast<std::byte>(value >> (8 * i)));
    return bytes;
}

inline Bytes big_endian(std::uint32_t value, int count) {
    Bytes bytes = little_endian(value, count);
    std::ranges::reverse(bytes);
    return bytes;
}

/// A GIF of 126 colours at most. Its codes are 8 bits wide, as the table is cleared before it grows.
inline Bytes write_gif(int width, int height, const std::vector<std::array<int, 3>>& palette,
                       const std::vector<int>& pixels, int transparent = -1) {
    Bytes gif = bytes_of("GIF89a") + little_endian(static_cast<std::uint32_t>(width), 2) +
                little_endian(static_cast<std::uint32_t>(height), 2) + bytes_of({0xf6, 0, 0}); // 128 colours
    for (std::size_t i = 0; i < 128; ++i) {
        for (std::size_t c = 0; c < 3; ++c)
            gif.push_back(static_cast<std::byte>(i < palette.size() ? palette[i].at(c) : 0));
    }
    if (transparent >= 0)
        gif = std::move(gif) + bytes_of({0x21, 0xf9, 4, 1, 0, 0, transparent, 0});
    gif = std::move(gif) + bytes_of({0x2c, 0, 0, 0, 0}) +
          little_endian(static_cast<std::uint32_t>(width), 2) +
          little_endian(static_cast<std::uint32_t>(height), 2) +
          bytes_of({0, 7}); // a whole frame, codes of 7 + 1 bits
    Bytes codes;
    for (std::size_t i = 0; i < pixels.size(); ++i) {
        if (i % 100 == 0)
            codes.push_back(std::byte{128}); // clear
        codes.push_back(static_cast<std::byte>(pixels[i]));
    }
    codes.push_back(std::byte{129}); // end
    for (std::size_t at = 0; at < codes.size(); at += 255) {
        const std::size_t count = std::min<std::size_t>(255, codes.size() - at);
        gif.push_back(static_cast<std::byte>(count));
        gif.insert(gif.end(), codes.begin() + static_cast<std::ptrdiff_t>(at),
                   codes.begin() + static_cast<std::ptrdiff_t>(at + count));
    }
    return std::move(gif) + bytes_of({0, 0x3b});
}

/// A resource of a PSD: what belongs to the whole file.
inline Bytes psd_resource(int id, const Bytes& data) {
    return bytes_of("8BIM") + big_endian(static_cast<std::uint32_t>(id), 2) + Bytes(2) +
           big_endian(static_cast<std::uint32_t>(data.size()), 4) + data + Bytes(data.size() % 2);
}

struct PsdSpec {
    bool packed = false;
    bool big = false; ///< PSB
    int layers = -1;  ///< below 0 where the picture has transparent parts; 0: the file has none
    int mode = 0;     ///< 0: grey or RGB
    Bytes palette{};
    Bytes resources{};
    Bytes blocks{}; ///< behind the layers and the mask
};

/// A PSD with the picture's channels one after the other, packed row by row (PackBits) if asked.
inline Bytes write_psd(const Image& image, const PsdSpec& spec) {
    const bool packed = spec.packed;
    const auto length = [&](std::size_t size) {
        return Bytes(spec.big ? 4 : 0) + big_endian(static_cast<std::uint32_t>(size), 4);
    };
    const int bits = static_cast<int>(image.depth());
    Bytes layers;
    if (spec.layers != 0)
        layers = length(2) + big_endian(static_cast<std::uint32_t>(spec.layers), 2);
    if (!spec.blocks.empty())
        layers = (spec.layers == 0 ? length(0) : layers) + Bytes(4) + spec.blocks;
    const int mode = spec.mode != 0 ? spec.mode : image.channels() < 3 ? 1 : 3;
    Bytes psd = bytes_of("8BPS") + big_endian(spec.big ? 2 : 1, 2) + Bytes(6) +
                big_endian(static_cast<std::uint32_t>(image.channels()), 2) +
                big_endian(static_cast<std::uint32_t>(image.height()), 4) +
                big_endian(static_cast<std::uint32_t>(image.width()), 4) +
                big_endian(static_cast<std::uint32_t>(bits), 2) +
                big_endian(static_cast<std::uint32_t>(mode), 2) +
                big_endian(static_cast<std::uint32_t>(spec.palette.size()), 4) + spec.palette +
                big_endian(static_cast<std::uint32_t>(spec.resources.size()), 4) + spec.resources +
                length(layers.size()) + layers + big_endian(packed ? 1 : 0, 2);
    Bytes rows;
    for (int c = 0; c < image.channels(); ++c) {
        for (int y = 0; y < image.height(); ++y) {
            Bytes row;
            for (int x = 0; x < image.width(); ++x) {
                const double value = image.at(x, y, c);
                const std::uint32_t code = bits == 32
                                               ? std::bit_cast<std::uint32_t>(static_cast<float>(value))
                                               : static_cast<std::uint32_t>(value);
                row = std::move(row) + big_endian(code, bits / 8);
            }
            if (packed) {
                Bytes copy; // literals of one byte each: the simplest packing there is
                for (const std::byte value : row)
                    copy = std::move(copy) + Bytes{std::byte{0}, value};
                psd = std::move(psd) + big_endian(static_cast<std::uint32_t>(copy.size()), spec.big ? 4 : 2);
                row = std::move(copy);
            }
            rows = std::move(rows) + row;
        }
    }
    return std::move(psd) + rows;
}

inline Bytes write_psd(const Image& image, bool packed) {
    return write_psd(image, PsdSpec{.packed = packed, .layers = image.has_alpha() ? -1 : 0});
}

/// A BMP of 1, 4 or 8 bits a pixel, rows bottom up.
inline Bytes write_palette_bmp(int width, int height, int bits,
                               const std::vector<std::array<int, 3>>& palette,
                               const std::vector<int>& pixels) {
    const auto offset = static_cast<std::uint32_t>(14 + 40 + 4 * palette.size());
    const auto stride = (static_cast<std::size_t>(width) * static_cast<std::size_t>(bits) + 31) / 32 * 4;
    const auto size = static_cast<std::uint32_t>(stride) * static_cast<std::uint32_t>(height);
    Bytes bmp = bytes_of("BM") + little_endian(offset + size, 4) + Bytes(4) + little_endian(offset, 4) +
                little_endian(40, 4) + little_endian(static_cast<std::uint32_t>(width), 4) +
                little_endian(static_cast<std::uint32_t>(height), 4) + little_endian(1, 2) +
                little_endian(static_cast<std::uint32_t>(bits), 2) + Bytes(16) +
                little_endian(static_cast<std::uint32_t>(palette.size()), 4) + Bytes(4);
    for (const auto& [red, green, blue] : palette)
        bmp = std::move(bmp) + bytes_of({blue, green, red, 0});
    for (int y = height - 1; y >= 0; --y) {
        Bytes row(stride);
        for (int x = 0; x < width; ++x) {
            const auto value = static_cast<unsigned>(pixels.at(index_of(x, y, width)));
            row.at(static_cast<std::size_t>(x) * static_cast<std::size_t>(bits) / 8) |=
                static_cast<std::byte>(value << (8 - bits - x * bits % 8));
        }
        bmp = std::move(bmp) + row;
    }
    return bmp;
}

/// An uncompressed TGA: image type 1 (palette), 2 (RGB) or 3 (grey), top row first.
inline Bytes tga_header(int type, int palette_size, int width, int height, int bits) {
    return bytes_of({0, type == 1 ? 1 : 0, type, 0, 0}) +
           little_endian(static_cast<std::uint32_t>(palette_size), 2) +
           bytes_of({palette_size > 0 ? 24 : 0, 0, 0, 0, 0}) +
           little_endian(static_cast<std::uint32_t>(width), 2) +
           little_endian(static_cast<std::uint32_t>(height), 2) + bytes_of({bits, 0x20});
}

} // namespace glproc::test
