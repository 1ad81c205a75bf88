// Helpers of passes over arrays with several axes.
#pragma once

#include "glproc/gl/pass.hpp"
#include "glproc/image/volume.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace glproc {

/// Up to the end of a word and of a quad of results.
inline std::size_t padded_bytes(const VolumeForm& form) {
    return (static_cast<std::size_t>(form.count()) * bytes_of(form.type) + 15) / 16 * 16;
}

/// As lib/volume.glsl packs them.
inline Uint4 bits_of(double first, double second) {
    const auto a = std::bit_cast<std::uint64_t>(first);
    const auto b = std::bit_cast<std::uint64_t>(second);
    return {static_cast<std::uint32_t>(a), static_cast<std::uint32_t>(a >> 32U), static_cast<std::uint32_t>(b),
            static_cast<std::uint32_t>(b >> 32U)};
}

/// Of the first four axes; 1 where there are fewer.
inline Uint4 sizes_of(const VolumeForm& form) {
    Uint4 sizes{1, 1, 1, 1};
    for (std::size_t i = 0; i < std::min(form.shape.size(), sizes.size()); ++i) {
        sizes[i] = static_cast<std::uint32_t>(form.shape[i]);
    }
    return sizes;
}

} // namespace glproc
