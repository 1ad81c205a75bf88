// Softimage PIC, which nothing of ours writes.
#pragma once

#include "files/pictures.hpp"

namespace glproc::test {

enum class PicPacking : std::uint8_t { none, runs, mixed };

inline void put_numbers(Bytes& bytes, std::initializer_list<int> values) {
    for (const int value : values) {
        bytes.push_back(static_cast<std::byte>(value));
    }
}

/// Up to the pixels: one packet of colours, and one of alpha where there is some.
inline Bytes pic_header(int width, int height, bool has_alpha, PicPacking packing) {
    Bytes bytes;
    put_numbers(bytes, {0x53, 0x80, 0xf6, 0x34});
    bytes.resize(88);
    put_numbers(bytes, {'P', 'I', 'C', 'T', width / 256, width % 256, height / 256, height % 256, 0, 0, 0, 0,
                        0, 3, 0, 0});
    put_numbers(bytes, {has_alpha ? 1 : 0, 8, static_cast<int>(packing), 0xe0});
    if (has_alpha) {
        put_numbers(bytes, {0, 8, static_cast<int>(packing), 0x10});
    }
    return bytes;
}

/// A row of one packet.
inline void put_pic_row(Bytes& bytes, const Image& image, int y, int first, int end, PicPacking packing) {
    for (int x = 0; x < image.width(); ++x) {
        if (packing == PicPacking::runs) {
            put_numbers(bytes, {1});
        } else if (packing == PicPacking::mixed && x == 0) {
            put_numbers(bytes, {image.width() - 1}); // so many as they are
        }
        for (int c = first; c < end; ++c) {
            put_numbers(bytes, {static_cast<int>(image.at(x, y, c))});
        }
    }
}

inline Bytes pic_of(const Image& image, PicPacking packing) {
    Bytes bytes = pic_header(image.width(), image.height(), image.has_alpha(), packing);
    for (int y = 0; y < image.height(); ++y) {
        put_pic_row(bytes, image, y, 0, 3, packing);
        if (image.has_alpha()) {
            put_pic_row(bytes, image, y, 3, 4, packing);
        }
    }
    return bytes;
}

} // namespace glproc::test
