// What the CPU does of a JPEG before the GPU decodes it: nothing that kernels read may lie outside what they get.
#include "fuzz/fuzz.hpp"
#include "glproc/gpu_codecs/jpeg/decode_facts.hpp"
#include "glproc/gpu_codecs/jpeg/decode_scan.hpp"
#include "glproc/gpu_codecs/jpeg/tables.hpp"

using namespace glproc;
using namespace glproc::gpu_codecs;

static void check_lookup(const JpegScan& scan) {
    const std::size_t first = scan.facts[fact_lookup];
    const std::size_t behind = first + 4 * lookup_words;
    fuzz::require(behind <= scan.tables.size(), "there are four tables");
    for (std::size_t i = first; i < scan.tables.size(); ++i) {
        const std::uint32_t entry = scan.tables[i];
        const bool is_long = entry >> 31U != 0;
        fuzz::require(!is_long || behind + ((entry & 0xffffU) + 1) * long_lookup_words <= scan.tables.size(),
                      "long codes have a table");
        fuzz::require(is_long || (entry & 31U) != 0, "every code takes bits: loops end");
    }
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::uint64_t most = std::uint64_t{1} << 22U;
    const fuzz::Cost cost(size, most);
    const auto scan = read_jpeg_scan(fuzz::as_file(data, size), "fuzz", {.max_pixels = most});
    if (!scan) {
        return 0;
    }
    const auto& facts = scan->facts;
    fuzz::require(facts[fact_unit_blocks] >= 1 && facts[fact_unit_blocks] <= 10, "an MCU has its blocks");
    fuzz::require(scan->subsequences.size() == facts[fact_subsequences], "as many subsequences as it says");
    fuzz::require(scan->bits.size() >= scan->subsequences.size() * (subsequence_bits / 8) + 12, "all bits are there");
    for (const std::uint32_t segment : scan->subsequences) {
        fuzz::require(4 * std::size_t{segment & 0x7fffffffU} + 4 <= scan->segments.size(), "a segment is there");
    }
    check_lookup(*scan);
    return 0;
}
