// Whole deflate streams, one after another, as one: what a compressor that only makes whole ones lacks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace glproc::codecs {

/// How many bytes beyond the stream open_end() needs.
constexpr std::size_t open_end_room = 16;

/// Changes a whole raw stream, the first `size` bytes of `buffer`, so that another can follow: its last block
/// no longer says that it is the last, and an empty block ends it at a whole byte. Returns the new size.
/// Throws std::invalid_argument for what is no whole stream.
std::size_t open_end(std::span<std::uint8_t> buffer, std::size_t size);

} // namespace glproc::codecs
