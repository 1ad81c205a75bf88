// Where the last block of a stream begins and ends is known only after reading all codes before it. This
// reads their lengths and nothing else. RFC 1951: https://www.rfc-editor.org/rfc/rfc1951
#include "glproc/files/codecs/png/deflate_join.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <stdexcept>

namespace glproc::codecs {
namespace {

[[noreturn]] void fail() {
    throw std::invalid_argument("this is no whole deflate stream");
}

/// The bits of a stream, lowest first, from any place on. Up to 8 bytes beyond the stream are read.
class DeflateBits {
  public:
    DeflateBits(const std::uint8_t* bytes, std::size_t size) : bytes_(bytes), end_(8 * size) {}

    std::size_t place() const { return place_; }

    /// 57 of them.
    std::uint64_t peek() const {
        std::uint64_t word = 0;
        std::memcpy(&word, bytes_ + place_ / 8, sizeof word);
        if constexpr (std::endian::native == std::endian::big)
            word = __builtin_bswap64(word);
        return word >> place_ % 8;
    }

    void skip(std::size_t count) {
        place_ += count;
        if (place_ > end_)
            fail();
    }

    unsigned take(unsigned count) {
        const auto value = static_cast<unsigned>(peek() & ((std::uint64_t{1} << count) - 1));
        skip(count);
        return value;
    }

    void skip_to_byte() { skip((8 - place_ % 8) % 8); }

  private:
    const std::uint8_t* bytes_;
    std::size_t end_;
    std::size_t place_ = 0;
};

/// A code word: its kind, and how many bits it takes with its extra bits. 0: no such code.
using Entry = std::uint8_t;
constexpr unsigned bits_mask = 31;
constexpr Entry literal = 0 << 5;
constexpr Entry match = 1 << 5;
constexpr Entry end_of_block = 2 << 5;

constexpr unsigned longest_code = 15;

/// The entries of all code words, looked up by as many bits as the longest has.
class Table {
  public:
    /// `entry` makes the entry of a symbol, without its code's own bits.
    template <class MakeEntry>
    void build(std::span<const std::uint8_t> lengths, MakeEntry make_entry) {
        std::array<unsigned, longest_code + 1> counts{};
        for (const std::uint8_t length : lengths)
            ++counts.at(length);
        counts[0] = 0;
        std::array<unsigned, longest_code + 1> next{};
        unsigned longest = 0;
        for (unsigned length = 1; length <= longest_code; ++length) {
            next.at(length) = (next.at(length - 1) + counts.at(length - 1)) << 1U;
            if (next.at(length) + counts.at(length) > 1U << length)
                fail();
            longest = counts.at(length) != 0 ? length : longest;
        }
        mask_ = (1U << longest) - 1;
        std::fill_n(entries_.begin(), mask_ + 1, Entry{0});
        for (std::size_t symbol = 0; symbol < lengths.size(); ++symbol) {
            const unsigned length = lengths[symbol];
            if (length == 0)
                continue;
            const auto entry = static_cast<Entry>(make_entry(symbol) + length);
            for (unsigned at = reversed(next.at(length)++, length); at <= mask_; at += 1U << length)
                entries_.at(at) = entry;
        }
    }

    Entry operator[](std::uint64_t bits) const { return entries_[bits & mask_]; } // NOLINT: masked

  private:
    static unsigned reversed(unsigned code, unsigned length) {
        unsigned result = 0;
        for (unsigned i = 0; i < length; ++i)
            result |= (code >> i & 1U) << (length - 1 - i);
        return result;
    }

    std::array<Entry, std::size_t{1} << longest_code> entries_{};
    unsigned mask_ = 0;
};

/// The code of the lengths of codes, read bit by bit.
class ShortCode {
  public:
    explicit ShortCode(std::span<const std::uint8_t> lengths) {
        for (unsigned length = 1; length <= 7; ++length) {
            for (std::size_t symbol = 0; symbol < lengths.size(); ++symbol) {
                if (lengths[symbol] == length) {
                    ++counts_.at(length);
                    symbols_.at(used_++) = static_cast<std::uint8_t>(symbol);
                }
            }
        }
    }

    std::uint8_t take(DeflateBits& bits) const {
        unsigned code = 0;
        unsigned first = 0;
        std::size_t index = 0;
        for (const unsigned count : std::span(counts_).subspan(1)) {
            code = code << 1U | bits.take(1);
            if (code < first + count)
                return symbols_.at(index + code - first);
            index += count;
            first = (first + count) << 1U;
        }
        fail();
    }

  private:
    std::array<unsigned, 8> counts_{};
    std::array<std::uint8_t, 19> symbols_{};
    std::size_t used_ = 0;
};

class Walker {
  public:
    explicit Walker(DeflateBits& bits) : bits_(bits) {}

    /// Passes over a block after its first bit.
    void pass_block() {
        switch (bits_.take(2)) {
        case 0:
            return pass_stored();
        case 1:
            fixed_codes();
            return pass_symbols();
        case 2:
            read_codes();
            return pass_symbols();
        default:
            fail();
        }
    }

  private:
    void pass_stored() {
        bits_.skip_to_byte();
        const unsigned size = bits_.take(16);
        bits_.skip(16 + std::size_t{8} * size);
    }

    void build(std::span<const std::uint8_t> literals, std::span<const std::uint8_t> distances) {
        literals_.build(literals, [](std::size_t symbol) -> unsigned {
            if (symbol < 256)
                return literal;
            if (symbol == 256)
                return end_of_block;
            return match + (symbol < 265 || symbol == 285 ? 0 : static_cast<unsigned>(symbol - 261) / 4);
        });
        distances_.build(distances, [](std::size_t symbol) {
            return symbol < 4 ? 0 : static_cast<unsigned>(symbol - 2) / 2;
        });
    }

    void fixed_codes() {
        std::array<std::uint8_t, 288> literals{};
        std::fill(literals.begin(), literals.end(), std::uint8_t{8});
        std::fill(literals.begin() + 144, literals.begin() + 256, std::uint8_t{9});
        std::fill(literals.begin() + 256, literals.begin() + 280, std::uint8_t{7});
        std::array<std::uint8_t, 30> distances{};
        distances.fill(5);
        build(literals, distances);
    }

    void read_codes() {
        constexpr std::array<std::size_t, 19> order{16, 17, 18, 0, 8,  7, 9,  6, 10, 5,
                                                    11, 4,  12, 3, 13, 2, 14, 1, 15};
        const std::size_t literals = bits_.take(5) + 257;
        const std::size_t distances = bits_.take(5) + 1;
        const std::size_t count = bits_.take(4) + 4;
        std::array<std::uint8_t, 19> code_lengths{};
        for (std::size_t i = 0; i < count; ++i)
            code_lengths.at(order.at(i)) = static_cast<std::uint8_t>(bits_.take(3));
        std::array<std::uint8_t, 288 + 32> lengths{};
        read_lengths(ShortCode(code_lengths), std::span(lengths).first(literals + distances));
        build(std::span(lengths).first(literals), std::span(lengths).subspan(literals, distances));
    }

    /// Run lengths: 16 repeats the last length, 17 and 18 are zeros.
    void read_lengths(const ShortCode& code, std::span<std::uint8_t> lengths) {
        std::size_t at = 0;
        while (at < lengths.size()) {
            const std::uint8_t symbol = code.take(bits_);
            if (symbol < 16) {
                lengths[at++] = symbol;
                continue;
            }
            const std::size_t run = symbol == 18 ? 11 + bits_.take(7) : 3 + bits_.take(symbol == 16 ? 2 : 3);
            if (run > lengths.size() - at || (symbol == 16 && at == 0))
                fail();
            std::fill_n(&lengths[at], run, symbol == 16 ? lengths[at - 1] : std::uint8_t{0});
            at += run;
        }
    }

    void pass_symbols() {
        for (;;) {
            std::uint64_t word = bits_.peek();
            std::size_t used = 0;
            Entry entry = literals_[word];
            // After three literals at least 12 bits are left: too few for a match with all its extra bits.
            for (int i = 0; i < 2 && entry != 0 && (entry & ~bits_mask) == literal; ++i) {
                used += entry;
                entry = literals_[word >> used];
            }
            if (used > 0 && (entry & ~bits_mask) != literal) {
                bits_.skip(used); // a match may need all bits that peek() returns
                word = bits_.peek();
                used = 0;
            }
            used += entry & bits_mask;
            if ((entry & ~bits_mask) == match) {
                const Entry distance = distances_[word >> used];
                if (distance == 0)
                    fail();
                used += distance;
            }
            if (entry == 0)
                fail();
            bits_.skip(used);
            if ((entry & ~bits_mask) == end_of_block)
                return;
        }
    }

    DeflateBits& bits_;
    Table literals_; ///< and lengths
    Table distances_;
};

} // namespace

std::size_t open_end(std::span<std::uint8_t> buffer, std::size_t size) {
    DeflateBits bits(buffer.data(), size);
    Walker walker(bits);
    for (bool last = false; !last;) {
        const std::size_t start = bits.place();
        last = bits.take(1) != 0;
        if (last)
            buffer[start / 8] &= static_cast<std::uint8_t>(~(1U << start % 8));
        walker.pass_block();
    }
    if ((bits.place() + 7) / 8 != size)
        fail();
    // What is left of the last byte is zero, and so begins an empty stored block: three bits, up to the end
    // of a byte, then its size and the complement of that.
    const std::size_t end = (bits.place() + 3 + 7) / 8;
    constexpr std::array<std::uint8_t, 4> empty{0, 0, 0xff, 0xff};
    std::fill(buffer.begin() + static_cast<std::ptrdiff_t>(size),
              buffer.begin() + static_cast<std::ptrdiff_t>(end), std::uint8_t{0});
    std::copy(empty.begin(), empty.end(), buffer.begin() + static_cast<std::ptrdiff_t>(end));
    return end + empty.size();
}

} // namespace glproc::codecs
