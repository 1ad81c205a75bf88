// Inputs for prefix sums, and what their sums must be: computed one after the other, in 64-bit integers and
// doubles.
#pragma once

#include "glproc/ops/scan.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace glproc::test {

/// What the words of an input are.
enum class ScanInput {
    bits,         ///< u32, i32: all bits random
    whole_floats, ///< f32: whole numbers from -4 to 4, so that up to 2^22 of them have exact sums in any
                  ///< order
    floats,       ///< f32: from -1 to 1, every sum is rounded
};

/// `count` random words, the same for the same seed on every machine.
std::vector<std::uint32_t> random_words(ScanInput input, std::size_t count, std::uint32_t seed);

/// Says where `sums` is first not the prefix sum of `values`: "none" where all is right. Integers must be
/// exact; a float may be off by `roundings` times 2^-24 times the sum of all |x| up to there, what that many
/// additions in a row can lose. 0 asks for exact floats.
std::string scan_mismatch(const Scan& scan, std::span<const std::uint32_t> values,
                          std::span<const std::uint32_t> sums, double roundings);

} // namespace glproc::test
