// Helpers of passes over arrays with several axes.
#pragma once

#include "glproc/gl/context_state.hpp"
#include "glproc/gl/pass.hpp"
#include "glproc/image/volume.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace glproc {

/// Up to the end of a word and of a quad of results.
inline std::size_t padded_bytes(const VolumeForm& form) {
    return (form.bytes() + 15) / 16 * 16;
}

/// Values on the GPU.
inline Buffer uploaded(Context& gpu, std::span<const std::byte> values, std::string_view label) {
    Buffer buffer = gpu.make_buffer((values.size() + 15) / 16 * 16, label);
    gpu.state().transfer->upload(values, buffer);
    return buffer;
}

/// As kernels define SRC and DST.
inline const char* glsl_name(Number type) {
    constexpr const char* names[] = {"U8", "I8", "U16", "I16", "U32", "I32", "U64", "I64", "F32", "F64"};
    return names[static_cast<int>(type)];
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
