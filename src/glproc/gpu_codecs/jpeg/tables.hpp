// Tables of JPEG (ITU T.81) in the form that kernels read.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio> // jpeglib.h needs FILE
#include <vector>

#include <jpeglib.h>

namespace glproc::gpu_codecs {

/// Words of a table of codes by their first bits.
inline constexpr std::size_t lookup_words = 1024;
/// Words of a table of longer codes by the bits that follow.
inline constexpr std::size_t long_lookup_words = 64;

/// The entry of bits that begin no code. It takes one bit, so that every loop ends.
inline constexpr std::uint32_t no_code = 1U | 1U << 9U | 1U << 30U;

/// Whether libjpeg would take the table, and no code is missing a symbol.
bool is_sound(const JHUFF_TBL& table, bool is_dc);

/// Fills the lookup table `which` of four that lie one after another, beginning at `base`, and appends tables
/// for its long codes behind them. In an entry, bits 0 to 4 have the number of bits that a code and its value
/// take, and bits 5 to 8 the bits of the value alone. Bits 9 to 15 say how far the code goes in the order of
/// coefficients. Bit 30 is set if there is no such code. With bit 31, the lower 16 bits name a table for the
/// bits that follow.
void put_lookup(std::vector<std::uint32_t>& words, std::size_t base, std::size_t which, const JHUFF_TBL& table, bool is_dc);

} // namespace glproc::gpu_codecs
