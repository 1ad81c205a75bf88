// Reading and writing numbers with the low byte first, as BMP and TGA have them.
#pragma once

#include "glproc/files/codecs/codecs.hpp"

#include <algorithm>
#include <cstring>

namespace glproc::codecs {

inline std::uint64_t little_number(std::span<const std::byte> bytes) {
    std::uint64_t value = 0;
    for (std::size_t i = bytes.size(); i-- > 0;)
        value = value << 8U | std::to_integer<std::uint64_t>(bytes[i]);
    return value;
}

/// `count` bytes at `offset`; what is beyond the end is 0.
inline std::uint64_t little(const Source& source, std::uint64_t offset, std::size_t count) {
    const std::uint64_t size = source.bytes.size();
    const std::uint64_t from = std::min(offset, size);
    return little_number(source.bytes.subspan(from, std::min<std::uint64_t>(count, size - from)));
}

inline void put_little(std::vector<std::byte>& out, std::uint64_t value, std::size_t count) {
    for (; count > 0; --count, value >>= 8U)
        out.push_back(static_cast<std::byte>(value));
}

/// The first `channels` channels of each pixel.
inline Image first_channels(const Image& image, int channels) {
    Image result(image.width(), image.height(), channels, image.depth());
    const std::byte* from = image.bytes().data();
    for (std::byte* to = result.row(0); to != result.bytes().data() + result.bytes().size();
         to += result.pixel_bytes(), from += image.pixel_bytes())
        std::memcpy(to, from, result.pixel_bytes());
    return result;
}

} // namespace glproc::codecs
