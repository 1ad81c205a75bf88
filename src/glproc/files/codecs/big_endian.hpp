// Reading and writing numbers with the high byte first, as the containers of PNG and JPEG have them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace glproc::codecs {

using ByteView = std::span<const std::byte>;

/// The first `count` bytes as a number; they must be there.
inline std::size_t big_number(ByteView bytes, std::size_t count) {
    std::size_t value = 0;
    for (const std::byte byte : bytes.first(count))
        value = value << 8U | std::to_integer<std::size_t>(byte);
    return value;
}

inline void put_big(std::byte* out, std::uint64_t value, unsigned count) {
    for (unsigned i = 0; i < count; ++i)
        out[i] = static_cast<std::byte>(value >> 8U * (count - 1 - i));
}
inline void put_big(std::vector<std::byte>& out, std::uint64_t value, unsigned count) {
    for (unsigned i = 0; i < count; ++i)
        out.push_back(static_cast<std::byte>(value >> 8U * (count - 1 - i)));
}

inline void put(std::vector<std::byte>& out, ByteView bytes) {
    out.insert(out.end(), bytes.begin(), bytes.end());
}
inline void put(std::vector<std::byte>& out, std::string_view text) {
    put(out, std::as_bytes(std::span(text)));
}

inline bool begins_with(ByteView bytes, std::string_view start) {
    return bytes.size() >= start.size() &&
           std::ranges::equal(bytes.first(start.size()), std::as_bytes(std::span(start)));
}

inline std::vector<std::byte> copy_of(ByteView bytes) {
    return {bytes.begin(), bytes.end()};
}

} // namespace glproc::codecs
