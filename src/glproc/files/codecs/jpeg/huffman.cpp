#include "glproc/files/codecs/jpeg/huffman.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <numeric>

namespace glproc::codecs {
namespace {

constexpr int longest = 16; ///< bits of a code in a file

/// The length of each symbol's code as Huffman's procedure has it; 256 is a symbol that makes sure that no code is of
/// ones alone.
std::array<int, 257> free_lengths(const SymbolCounts& counts) {
    std::array<std::uint64_t, 257> weight{};
    std::copy(counts.begin(), counts.end(), weight.begin());
    weight[256] = 1;
    std::array<int, 257> length{};
    std::array<int, 257> next{}; // of the symbols that share a branch
    next.fill(-1);
    const auto lightest = [&](int except) {
        int found = -1;
        for (int i = 0; i < 257; ++i) {
            const bool is_lighter = found < 0 || weight.at(std::size_t(i)) <= weight.at(std::size_t(found));
            found = i != except && weight.at(std::size_t(i)) > 0 && is_lighter ? i : found;
        }
        return found;
    };
    for (int a = lightest(-1), b = lightest(a); b >= 0; a = lightest(-1), b = lightest(a)) {
        weight.at(std::size_t(a)) += weight.at(std::size_t(b));
        weight.at(std::size_t(b)) = 0;
        int last = a;
        for (int i = a; i >= 0; i = next.at(std::size_t(i))) {
            ++length.at(std::size_t(i));
            last = i;
        }
        next.at(std::size_t(last)) = b;
        for (int i = b; i >= 0; i = next.at(std::size_t(i)))
            ++length.at(std::size_t(i));
    }
    return length;
}

} // namespace

HuffmanTable best_table(const SymbolCounts& counts) {
    const std::array<int, 257> length = free_lengths(counts);
    std::array<int, 258> of_length{};
    for (const int bits : length)
        of_length.at(std::size_t(bits)) += bits > 0 ? 1 : 0;
    // Codes that are too long go in pairs: one takes the place of their prefix, the other shares that of a shorter one.
    for (std::size_t i = of_length.size() - 1; i > longest; --i) {
        while (of_length.at(i) > 0) {
            std::size_t shorter = i - 2;
            while (of_length.at(shorter) == 0)
                --shorter;
            of_length.at(i) -= 2;
            of_length.at(i - 1) += 1;
            of_length.at(shorter + 1) += 2;
            of_length.at(shorter) -= 1;
        }
    }
    for (std::size_t i = longest; i > 0; --i) {
        if (of_length.at(i) > 0) { // the last code is that of ones alone
            --of_length.at(i);
            break;
        }
    }
    HuffmanTable table;
    for (std::size_t i = 1; i <= longest; ++i)
        table.lengths.at(i) = static_cast<std::uint8_t>(of_length.at(i));
    std::vector<int> order(256);
    std::iota(order.begin(), order.end(), 0);
    std::erase_if(order, [&](int symbol) { return length.at(std::size_t(symbol)) == 0; });
    std::stable_sort(order.begin(), order.end(),
                     [&](int a, int b) { return length.at(std::size_t(a)) < length.at(std::size_t(b)); });
    std::transform(order.begin(), order.end(), std::back_inserter(table.symbols),
                   [](int symbol) { return static_cast<std::uint8_t>(symbol); });
    return table;
}

namespace {

struct Code {
    std::uint32_t bits = 0;
    int length = 0;
};

/// Calls visit(symbol, code) for each of a table.
template <class Visit>
void for_each_code(const HuffmanTable& table, Visit visit) {
    std::uint32_t code = 0;
    std::size_t at = 0;
    for (int length = 1; length <= longest; ++length) {
        for (int i = 0; i < table.lengths.at(std::size_t(length)); ++i)
            visit(table.symbols.at(at++), Code{code++, length});
        code <<= 1U;
    }
}

using Codes = std::array<Code, 256>;

Codes codes_of(const HuffmanTable& table) {
    Codes codes{};
    for_each_code(table, [&](std::uint8_t symbol, Code code) { codes.at(symbol) = code; });
    return codes;
}

/// What the next 16 bits begin with.
class Lookup {
  public:
    struct Entry {
        std::uint8_t symbol = 0;
        std::uint8_t length = 0;
    };

    explicit Lookup(const HuffmanTable& table) : long_(std::size_t{1} << longest) {
        for_each_code(table, [&](std::uint8_t symbol, Code code) {
            const Entry entry{symbol, static_cast<std::uint8_t>(code.length)};
            fill(long_, longest, code, entry);
            if (code.length <= short_bits)
                fill(short_, short_bits, code, entry);
        });
    }

    Entry at(std::uint32_t bits) const {
        const Entry entry = short_[bits >> (longest - short_bits)]; // NOLINT: of 16 bits
        return entry.length > 0 ? entry : long_[bits];
    }

  private:
    static constexpr int short_bits = 9; ///< a table that stays in the nearest cache

    template <class Table>
    static void fill(Table& table, int bits, Code code, Entry entry) {
        const int rest = bits - code.length;
        const auto first = table.begin() + static_cast<std::ptrdiff_t>(std::size_t{code.bits} << unsigned(rest));
        std::fill_n(first, std::size_t{1} << unsigned(rest), entry);
    }

    std::array<Entry, std::size_t{1} << short_bits> short_{};
    std::vector<Entry> long_;
};

/// Whether a byte of four is of ones alone.
bool has_ones(std::uint32_t word) {
    return ((~word - 0x01010101U) & word & 0x80808080U) != 0;
}

/// A number from or for memory, with the high byte first.
std::uint32_t in_order(std::uint32_t word) {
    return std::endian::native == std::endian::little ? __builtin_bswap32(word) : word;
}

/// The bits of a scan, without the zeros that follow each byte of ones.
class BitReader {
  public:
    explicit BitReader(ByteView data) : data_(data) {}

    /// Makes sure of 32 bits; past the end there are ones.
    void fill() {
        if (count_ >= 32)
            return;
        if (std::uint32_t word = 0; at_ + sizeof word <= data_.size()) {
            std::memcpy(&word, data_.data() + at_, sizeof word);
            if (!has_ones(word)) {
                bits_ = bits_ << 32U | in_order(word);
                count_ += 32;
                at_ += sizeof word;
                return;
            }
        }
        while (count_ <= 56) {
            const std::uint64_t byte = at_ < data_.size() ? std::to_integer<std::uint64_t>(data_[at_]) : 0xff;
            at_ += byte == 0xff ? 2 : 1;
            bits_ = bits_ << 8U | byte;
            count_ += 8;
        }
    }
    std::uint32_t peek(int count) const {
        return static_cast<std::uint32_t>(bits_ >> unsigned(count_ - count)) & ((1U << unsigned(count)) - 1);
    }
    std::uint32_t take(int count) {
        const std::uint32_t bits = peek(count);
        count_ -= count;
        return bits;
    }

  private:
    ByteView data_;
    std::size_t at_ = 0;
    std::uint64_t bits_ = 0;
    int count_ = 0;
};

class BitWriter {
  public:
    explicit BitWriter(std::size_t expected) : bytes_(expected + 64) {}

    void put(std::uint32_t bits, int count) {
        bits_ = bits_ << unsigned(count) | bits;
        count_ += count;
        if (count_ >= 32) {
            count_ -= 32;
            put_word(static_cast<std::uint32_t>(bits_ >> unsigned(count_)));
        }
    }

    /// What was put, filled up with ones.
    std::vector<std::byte> finish() {
        const int missing = (8 - count_ % 8) % 8;
        bits_ = bits_ << unsigned(missing) | ((1U << unsigned(missing)) - 1);
        for (count_ += missing; count_ > 0; count_ -= 8)
            put_byte(static_cast<std::uint32_t>(bits_ >> unsigned(count_ - 8)) & 0xffU);
        bytes_.resize(at_);
        return std::move(bytes_);
    }

  private:
    void put_byte(std::uint32_t byte) {
        bytes_[at_++] = static_cast<std::byte>(byte);
        if (byte == 0xff)
            bytes_[at_++] = std::byte{0};
    }

    void put_word(std::uint32_t word) {
        if (bytes_.size() - at_ < 64)
            bytes_.resize(2 * bytes_.size());
        if (!has_ones(word)) {
            const std::uint32_t stored = in_order(word);
            std::memcpy(bytes_.data() + at_, &stored, sizeof stored);
            at_ += sizeof stored;
            return;
        }
        for (const unsigned shift : {24U, 16U, 8U, 0U})
            put_byte(word >> shift & 0xffU);
    }

    std::vector<std::byte> bytes_;
    std::size_t at_ = 0;
    std::uint64_t bits_ = 0;
    int count_ = 0;
};

} // namespace

struct ScanCoder::Lookups {
    std::array<Lookup, 4> of;

    /// Calls visit(table, symbol, bits, count) for each symbol of a scan and the bits that follow it.
    template <class Visit>
    void walk(ByteView data, const ScanLayout& layout, Visit visit) const {
        BitReader bits(data);
        const auto next = [&](std::size_t table) {
            bits.fill();
            const Lookup::Entry entry = of[table].at(bits.peek(longest)); // NOLINT: of four
            bits.take(entry.length);
            const int count = entry.symbol & 15;
            visit(table, entry.symbol, bits.take(count), count);
            return entry.symbol;
        };
        constexpr int run_of_16 = 0xf0;
        for (std::size_t unit = 0; unit < layout.units; ++unit) {
            for (const std::size_t number : layout.numbers) {
                next(scan_table(0, number));
                for (int k = 1; k < 64;) {
                    const int symbol = next(scan_table(1, number));
                    if ((symbol & 15) == 0 && symbol != run_of_16)
                        break; // the rest of the block is zero
                    k += (symbol >> 4) + 1;
                }
            }
        }
    }
};

ScanCoder::ScanCoder(const ScanTables& tables)
    : lookups_(new Lookups{{Lookup(tables[0]), Lookup(tables[1]), Lookup(tables[2]), Lookup(tables[3])}}) {}

ScanCoder::~ScanCoder() = default;

ScanCounts ScanCoder::count(ByteView data, const ScanLayout& layout) const {
    ScanCounts counts{};
    lookups_->walk(data, layout, [&](std::size_t table, std::uint8_t symbol, std::uint32_t, int) {
        ++counts[table][symbol]; // NOLINT: of four, of 256
    });
    return counts;
}

std::vector<std::byte> ScanCoder::recode(ByteView data, const ScanLayout& layout, const ScanTables& to) const {
    const std::array<Codes, 4> codes{codes_of(to[0]), codes_of(to[1]), codes_of(to[2]), codes_of(to[3])};
    BitWriter out(data.size());
    lookups_->walk(data, layout, [&](std::size_t table, std::uint8_t symbol, std::uint32_t bits, int count) {
        const Code code = codes[table][symbol]; // NOLINT: of four, of 256
        out.put(code.bits << unsigned(count) | bits, code.length + count);
    });
    return out.finish();
}

} // namespace glproc::codecs
