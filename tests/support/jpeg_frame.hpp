// What the frame header of a JPEG file says, read without a library.
#pragma once

#include <cstddef>
#include <span>
#include <stdexcept>
#include <vector>

namespace glproc::test {

struct JpegFrame {
    bool progressive = false;
    std::vector<int> factors{}; ///< across and down, a component after the other
};

/// Throws std::out_of_range where the file has none.
inline JpegFrame frame_of(std::span<const std::byte> file) {
    const auto byte = [&](std::size_t at) {
        if (at >= file.size())
            throw std::out_of_range("a JPEG without a frame header");
        return std::to_integer<int>(file[at]);
    };
    std::size_t at = 2;
    while (byte(at + 1) != 0xc0 && byte(at + 1) != 0xc2) // one of libjpeg's files, without stray bytes
        at += 2 + static_cast<std::size_t>(byte(at + 2) * 256 + byte(at + 3));
    JpegFrame frame{.progressive = byte(at + 1) == 0xc2};
    for (std::size_t i = 0; i < static_cast<std::size_t>(byte(at + 9)); ++i) {
        frame.factors.push_back(byte(at + 11 + 3 * i) >> 4);
        frame.factors.push_back(byte(at + 11 + 3 * i) & 15);
    }
    return frame;
}

} // namespace glproc::test
