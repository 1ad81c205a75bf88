// Pixels of GIF whose codes begin wider than GIF has colours. giflib takes 8 bits at most; browsers take
// more.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace glproc::codecs {

inline constexpr unsigned most_gif_code_bits = 11; ///< a code has 12 at most, and two codes are no pixels

/// `count` pixels out of blocks that begin with their length; nothing where they hold fewer, or no pixels.
/// `bits` is the least code size that stands before the blocks, 1 to most_gif_code_bits.
std::optional<std::vector<std::uint8_t>> decode_gif_lzw(std::span<const std::byte> blocks, unsigned bits,
                                                        std::size_t count);

} // namespace glproc::codecs
