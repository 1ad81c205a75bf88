// Huffman codes that fit a picture, in place of the standard's: ITU T.81, annex K.2.
#pragma once

#include "glproc/files/codecs/big_endian.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace glproc::codecs {

/// As a file holds it (T.81, B.2.4.2): how many codes have each length, and their symbols, shortest code first.
struct HuffmanTable {
    std::array<std::uint8_t, 17> lengths{}; ///< from 1 on
    std::vector<std::uint8_t> symbols{};
};

/// How often each symbol occurs.
using SymbolCounts = std::array<std::uint64_t, 256>;

/// The table that spends the fewest bits, with codes of at most 16 and none of ones alone.
HuffmanTable best_table(const SymbolCounts& counts);

/// The tables of a baseline picture, by their place in scan_table(). One that is not used is empty.
using ScanTables = std::array<HuffmanTable, 4>;
using ScanCounts = std::array<SymbolCounts, 4>;

/// The place of the table of a class, 0 for DC and 1 for AC, with a number, 0 or 1.
constexpr std::size_t scan_table(std::size_t table_class, std::size_t number) {
    return 2 * number + table_class;
}

/// How the data of a scan are laid out.
struct ScanLayout {
    std::size_t units = 0;            ///< how often the blocks below follow one another
    std::vector<std::size_t> numbers; ///< of each block of a unit: the number of its tables
};

/// The symbols of a scan, each with its table and the bits that follow its code.
using ScanSymbols = std::vector<std::uint32_t>;

/// How often the symbols of each table occur.
ScanCounts count(const ScanSymbols& symbols);

/// The scan, coded by these tables, which have codes for all its symbols.
std::vector<std::byte> code(const ScanSymbols& symbols, const ScanTables& tables);

/// Reads scans without restarts that an encoder of ours has coded by the same tables; several threads may do so at once.
class ScanReader {
  public:
    explicit ScanReader(const ScanTables& tables);
    ScanReader(const ScanReader&) = delete;
    ScanReader& operator=(const ScanReader&) = delete;
    ~ScanReader();

    ScanSymbols symbols(ByteView data, const ScanLayout& layout) const;

  private:
    struct Lookups;
    std::unique_ptr<const Lookups> lookups_;
};

} // namespace glproc::codecs
