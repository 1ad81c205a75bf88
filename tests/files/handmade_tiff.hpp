// TIFF files put together entry by entry: little-endian, uncompressed, one strip a directory.
#pragma once

#include "files/handmade_files.hpp"

#include <cstring>

namespace glproc::test {

/// One entry of a directory; its bytes as they stand in the file.
struct TiffEntry {
    int tag = 0;
    int type = 3; ///< 1 BYTE, 2 ASCII, 3 SHORT, 4 LONG, 5 RATIONAL, 12 DOUBLE
    Bytes bytes = {};
};

struct TiffPage {
    int width = 0;
    int height = 0;
    int bits = 8;
    int format = 1; ///< 1 whole numbers, 2 signed ones, 3 floats
    Bytes pixels = {};
    std::vector<TiffEntry> more = {}; ///< sorted in by tag
    int samples = 1;
};

template <class T>
Bytes values_as_bytes(const std::vector<T>& values) {
    Bytes bytes(values.size() * sizeof(T));
    std::memcpy(bytes.data(), values.data(), bytes.size());
    return bytes;
}

inline TiffEntry tiff_text(int tag, const std::string& text) {
    return {tag, 2, bytes_of(text) + Bytes(1)};
}

inline Bytes handmade_tiff(const std::vector<TiffPage>& pages) {
    const auto size_of = [](int type) { return type == 12 || type == 5 ? 8 : type == 4 ? 4 : type == 3 ? 2 : 1; };
    Bytes file = bytes_of("II") + little_endian(42, 2) + Bytes(4);
    std::size_t link = 4;
    for (const TiffPage& page : pages) {
        const std::size_t strip = file.size();
        file = std::move(file) + page.pixels;
        const auto whole = [](int tag, std::size_t value) {
            return TiffEntry{tag, 4, little_endian(static_cast<std::uint32_t>(value), 4)};
        };
        const auto half = [](int tag, int value) {
            return TiffEntry{tag, 3, little_endian(static_cast<std::uint32_t>(value), 2)};
        };
        Bytes bits;
        for (int i = 0; i < page.samples; ++i)
            bits = std::move(bits) + little_endian(static_cast<std::uint32_t>(page.bits), 2);
        std::vector<TiffEntry> entries{whole(256, static_cast<std::size_t>(page.width)),
                                       whole(257, static_cast<std::size_t>(page.height)),
                                       {258, 3, bits},
                                       half(259, 1),
                                       half(262, page.samples >= 3 ? 2 : 1),
                                       whole(273, strip),
                                       half(277, page.samples),
                                       whole(278, static_cast<std::size_t>(page.height)),
                                       whole(279, page.pixels.size()),
                                       half(339, page.format)};
        entries.insert(entries.end(), page.more.begin(), page.more.end());
        std::stable_sort(entries.begin(), entries.end(),
                         [](const TiffEntry& a, const TiffEntry& b) { return a.tag < b.tag; });
        file.resize((file.size() + 1) / 2 * 2);
        std::ranges::copy(little_endian(static_cast<std::uint32_t>(file.size()), 4),
                          file.begin() + static_cast<std::ptrdiff_t>(link));
        std::size_t behind = file.size() + 2 + 12 * entries.size() + 4;
        file = std::move(file) + little_endian(static_cast<std::uint32_t>(entries.size()), 2);
        Bytes data;
        for (const TiffEntry& entry : entries) {
            const auto count = static_cast<std::uint32_t>(entry.bytes.size()) / static_cast<std::uint32_t>(size_of(entry.type));
            file = std::move(file) + little_endian(static_cast<std::uint32_t>(entry.tag), 2) +
                   little_endian(static_cast<std::uint32_t>(entry.type), 2) + little_endian(count, 4);
            if (entry.bytes.size() <= 4) {
                file = std::move(file) + entry.bytes + Bytes(4 - entry.bytes.size());
            } else {
                file = std::move(file) + little_endian(static_cast<std::uint32_t>(behind), 4);
                data = std::move(data) + entry.bytes + Bytes(entry.bytes.size() % 2);
                behind += (entry.bytes.size() + 1) / 2 * 2;
            }
        }
        link = file.size();
        file = std::move(file) + Bytes(4) + data;
    }
    return file;
}

} // namespace glproc::test
