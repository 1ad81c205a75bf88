#include "glproc/gpu_codecs/jpeg/tables.hpp"

#include <algorithm>

namespace glproc::gpu_codecs {

namespace {

constexpr unsigned most_length = 16; ///< bits of a code
constexpr unsigned first_bits = 10;
constexpr unsigned long_bits = most_length - first_bits;
constexpr std::size_t table_count = 4;

constexpr std::uint32_t is_long = 1U << 31U;

/// How far a symbol goes: DC is one coefficient, AC a run of zeros and one more; 64 ends the block.
std::uint32_t steps_of(unsigned symbol, bool is_dc) {
    const unsigned run = symbol >> 4U;
    if (is_dc) {
        return 1;
    }
    return (symbol & 15U) != 0 ? run + 1 : run == 15 ? 16 : 64;
}

std::uint32_t entry_of(unsigned symbol, unsigned length, bool is_dc) {
    const unsigned size = is_dc ? symbol : symbol & 15U;
    return (length + size) | size << 5U | steps_of(symbol, is_dc) << 9U;
}

} // namespace

bool is_sound(const JHUFF_TBL& table, bool is_dc) {
    std::uint32_t code = 0;
    std::uint32_t count = 0;
    for (unsigned length = 1; length <= most_length; ++length) {
        code += table.bits[length];
        count += table.bits[length];
        if (count > 256 || (table.bits[length] != 0 && code >= 1U << length)) { // no code is all ones
            return false;
        }
        code <<= 1U;
    }
    return count > 0 &&
           (!is_dc || std::all_of(table.huffval, table.huffval + count, [](unsigned symbol) { return symbol <= 15; }));
}

void put_lookup(std::vector<std::uint32_t>& words, std::size_t base, std::size_t which, const JHUFF_TBL& table, bool is_dc) {
    const std::size_t first = base + lookup_words * which;
    const std::size_t behind = base + lookup_words * table_count;
    std::fill_n(words.begin() + static_cast<std::ptrdiff_t>(first), lookup_words, no_code);
    std::uint32_t code = 0;
    std::size_t symbol = 0;
    for (unsigned length = 1; length <= most_length; ++length, code <<= 1U) {
        for (unsigned i = 0; i < table.bits[length]; ++i, ++code, ++symbol) {
            const std::uint32_t entry = entry_of(table.huffval[symbol], length, is_dc);
            if (length <= first_bits) {
                const std::uint32_t span = 1U << (first_bits - length);
                std::fill_n(words.begin() + static_cast<std::ptrdiff_t>(first + code * span), span, entry);
                continue;
            }
            const std::size_t begins = first + (code >> (length - first_bits));
            if ((words[begins] & is_long) == 0) {
                words[begins] = is_long | static_cast<std::uint32_t>((words.size() - behind) / long_lookup_words);
                words.resize(words.size() + long_lookup_words, no_code);
            }
            const std::uint32_t span = 1U << (most_length - length);
            const std::size_t at = behind + (words[begins] & 0xffffU) * long_lookup_words +
                                   ((code << (most_length - length)) & ((1U << long_bits) - 1));
            std::fill_n(words.begin() + static_cast<std::ptrdiff_t>(at), span, entry);
        }
    }
}

} // namespace glproc::gpu_codecs
