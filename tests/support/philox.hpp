// Random words that depend on nothing but a counter and a key.
#pragma once

#include <array>
#include <cstdint>

namespace glproc {

/// Philox4x32-10 of Salmon and others, Parallel random numbers: as easy as 1, 2, 3, SC 2011; the same as
/// glsl/lib/philox.glsl.
constexpr std::array<std::uint32_t, 4> philox(std::array<std::uint32_t, 4> counter,
                                              std::array<std::uint32_t, 2> key) {
    for (int turn = 0; turn < 10; ++turn) {
        const std::uint64_t first = std::uint64_t{0xd2511f53} * counter[0];
        const std::uint64_t second = std::uint64_t{0xcd9e8d57} * counter[2];
        const auto high = [](std::uint64_t product) { return static_cast<std::uint32_t>(product >> 32); };
        const auto low = [](std::uint64_t product) { return static_cast<std::uint32_t>(product); };
        counter = {high(second) ^ counter[1] ^ key[0], low(second), high(first) ^ counter[3] ^ key[1],
                   low(first)};
        key = {key[0] + 0x9e3779b9U, key[1] + 0xbb67ae85U};
    }
    return counter;
}

} // namespace glproc
