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

/// What the next 16 bits begin with.
class Lookup {
  public:
    struct alignas(4) Entry {
        std::uint8_t symbol = 0;
        std::uint8_t length = 0;
        std::uint8_t total = 0; ///< bits, with those that follow the code
    };

    explicit Lookup(const HuffmanTable& table) : long_(std::size_t{1} << longest) {
        for_each_code(table, [&](std::uint8_t symbol, Code code) {
            const auto length = static_cast<std::uint8_t>(code.length);
            const Entry entry{symbol, length, static_cast<std::uint8_t>(length + (symbol & 15U))};
            fill(long_, longest, code, entry);
            if (code.length <= short_bits)
                fill(short_, short_bits, code, entry);
        });
    }

    /// `bits`: the next ones, from the highest of 64 on.
    Entry at(std::uint64_t bits) const {
        const Entry entry = short_[bits >> (64 - short_bits)]; // NOLINT: of so many bits
        return entry.length > 0 ? entry : long_[bits >> (64 - longest)];
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

/// A number from or for memory, with the high byte first.
std::uint64_t in_order(std::uint64_t word) {
    return std::endian::native == std::endian::little ? __builtin_bswap64(word) : word;
}

constexpr std::size_t word_bytes = sizeof(std::uint64_t);

/// Copies `from` to `to`, where there is room, up to each byte of ones; then `after` gets where both are. Returns the end.
template <class After>
std::byte* copy_between_ones(ByteView from, std::byte* to, After after) {
    const std::byte* at = from.data();
    const std::byte* end = at + from.size();
    while (at < end) {
        const void* found = std::memchr(at, 0xff, static_cast<std::size_t>(end - at));
        const std::byte* stop = found != nullptr ? static_cast<const std::byte*>(found) + 1 : end;
        to = std::copy(at, stop, to);
        at = stop;
        if (found != nullptr)
            after(at, to);
    }
    return to;
}

/// The bits of a scan: without the zeros that follow each byte of ones, and with ones after the end.
class BitReader {
  public:
    explicit BitReader(ByteView data) : bytes_(data.size() + word_bytes, std::byte{0xff}) {
        const std::byte* end = copy_between_ones(data, bytes_.data(), [](const std::byte*& at, std::byte*&) { ++at; });
        last_ = static_cast<std::size_t>(end - bytes_.data());
        std::fill(bytes_.begin() + static_cast<std::ptrdiff_t>(last_), bytes_.end(), std::byte{0xff});
    }

    /// The next bits, 56 at least, from the highest on.
    std::uint64_t next() {
        std::uint64_t word = 0;
        std::memcpy(&word, bytes_.data() + at_, sizeof word);
        bits_ |= in_order(word) >> unsigned(count_);
        at_ = std::min(at_ + ((63U - unsigned(count_)) >> 3U), last_);
        count_ |= 56;
        return bits_;
    }
    void skip(int count) {
        bits_ <<= unsigned(count);
        count_ -= count;
    }

  private:
    std::vector<std::byte> bytes_;
    std::size_t last_ = 0;
    std::size_t at_ = 0;
    std::uint64_t bits_ = 0;
    int count_ = 0;
};

/// Bits one after another, each byte of ones followed by zeros.
class BitWriter {
  public:
    /// Room for so many bytes of bits.
    explicit BitWriter(std::size_t most) : bytes_(most + word_bytes) {}

    void put(std::uint32_t bits, unsigned count) {
        bits_ = bits_ << count | bits;
        count_ += count;
        const std::uint64_t stored = in_order(bits_ << (64 - count_));
        std::memcpy(bytes_.data() + at_, &stored, sizeof stored);
        at_ += count_ / 8;
        count_ %= 8;
    }

    /// What was put, filled up with ones.
    std::vector<std::byte> finish() {
        if (count_ > 0) {
            const unsigned missing = 8 - count_;
            put((1U << missing) - 1, missing);
        }
        const ByteView bits(bytes_.data(), at_);
        const auto ones = static_cast<std::size_t>(std::count(bits.begin(), bits.end(), std::byte{0xff}));
        std::vector<std::byte> file(bits.size() + ones);
        copy_between_ones(bits, file.data(), [](const std::byte*&, std::byte*& to) { *to++ = std::byte{0}; });
        return file;
    }

  private:
    std::vector<std::byte> bytes_;
    std::size_t at_ = 0;
    std::uint64_t bits_ = 0;
    unsigned count_ = 0; ///< of those not stored yet, below 8
};

/// A symbol, its table and the bits that follow its code.
constexpr unsigned follow_bits = 16;

std::uint32_t packed(std::size_t table, std::uint8_t symbol, std::uint32_t following) {
    return (static_cast<std::uint32_t>(table) << 8U | symbol) << follow_bits | following;
}

} // namespace

struct ScanReader::Lookups {
    std::array<Lookup, 4> of;
};

ScanReader::ScanReader(const ScanTables& tables)
    : lookups_(new Lookups{{Lookup(tables[0]), Lookup(tables[1]), Lookup(tables[2]), Lookup(tables[3])}}) {}

ScanReader::~ScanReader() = default;

ScanSymbols ScanReader::symbols(ByteView data, const ScanLayout& layout) const {
    constexpr std::size_t most_of_block = 64;
    constexpr int run_of_16 = 0xf0;
    ScanSymbols symbols;
    symbols.resize(2 * data.size());
    std::size_t made = 0;
    BitReader reader(data);
    const auto next = [&](std::size_t table) {
        const std::uint64_t bits = reader.next();
        const Lookup::Entry entry = lookups_->of[table].at(bits); // NOLINT: of four
        const unsigned count = entry.symbol & 15U;
        const auto following = static_cast<std::uint32_t>((bits << entry.length) >> 1U >> (63U - count));
        symbols[made++] = packed(table, entry.symbol, following); // NOLINT: there is room
        reader.skip(entry.total);
        return int{entry.symbol};
    };
    for (std::size_t unit = 0; unit < layout.units; ++unit) {
        const std::size_t most = made + most_of_block * layout.numbers.size();
        if (most > symbols.size())
            symbols.resize(2 * most);
        for (const std::size_t number : layout.numbers) {
            next(scan_table(0, number));
            const std::size_t table = scan_table(1, number);
            for (int k = 1; k < 64;) {
                const int symbol = next(table);
                if ((symbol & 15) == 0 && symbol != run_of_16)
                    break; // the rest of the block is zero
                k += (symbol >> 4) + 1;
            }
        }
    }
    symbols.resize(made);
    return symbols;
}

ScanCounts count(const ScanSymbols& symbols) {
    std::array<std::uint64_t, 4 * 256> of_all{};
    for (const std::uint32_t one : symbols)
        ++of_all[one >> follow_bits]; // NOLINT: of four tables of 256
    ScanCounts counts{};
    for (std::size_t table = 0; table < counts.size(); ++table)
        std::copy_n(of_all.begin() + std::ptrdiff_t(256 * table), 256, counts.at(table).begin());
    return counts;
}

std::vector<std::byte> code(const ScanSymbols& symbols, const ScanTables& tables) {
    std::array<Code, 4 * 256> codes{};
    for (std::size_t table = 0; table < tables.size(); ++table)
        for_each_code(tables.at(table), [&](std::uint8_t symbol, Code code) { codes.at(256 * table + symbol) = code; });
    constexpr std::size_t most_bits = longest + 15; // of a symbol and what follows
    BitWriter out(symbols.size() * most_bits / 8 + 1);
    for (const std::uint32_t one : symbols) {
        const Code code = codes[one >> follow_bits]; // NOLINT: likewise
        const unsigned count = one >> follow_bits & 15U;
        out.put(code.bits << count | (one & 0xffffU), unsigned(code.length) + count);
    }
    return out.finish();
}

} // namespace glproc::codecs
