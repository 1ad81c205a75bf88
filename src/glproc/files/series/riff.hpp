// Shared by the reader and the writer of animated WebP.
// https://developers.google.com/speed/webp/docs/riff_container
#pragma once

#include "glproc/files/series/parts.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

namespace glproc::codecs {

inline constexpr std::size_t riff_header = 12; ///< "RIFF", size, "WEBP"

// Of VP8X.
inline constexpr unsigned webp_animation_flag = 0x02;
inline constexpr unsigned webp_xmp_flag = 0x04;
inline constexpr unsigned webp_exif_flag = 0x08;
inline constexpr unsigned webp_alpha_flag = 0x10;
inline constexpr unsigned webp_icc_flag = 0x20;
// Of ANMF.
inline constexpr unsigned webp_clear_flag = 0x01;
inline constexpr unsigned webp_no_blend_flag = 0x02;

/// The beginning of a file; `size` bytes follow it.
inline std::array<std::byte, riff_header> riff_start(std::size_t size) {
    std::array<std::byte, riff_header> start{};
    std::ranges::copy(bytes_in("RIFF"), start.begin());
    std::ranges::copy(bytes_in("WEBP"), start.begin() + 8);
    for (std::size_t i = 0; i < 4; ++i)
        start.at(4 + i) = static_cast<std::byte>((size + 4) >> 8 * i);
    return start;
}

} // namespace glproc::codecs
