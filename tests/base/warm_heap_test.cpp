// Memory that was touched beforehand is what malloc() gives out next.
#include "glproc/base/warm_heap.hpp"
#include "support/catch.hpp"
#include "support/thread_limit.hpp"

#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <vector>

#include <malloc.h>
#include <sys/mman.h>
#include <unistd.h>

using namespace glproc;
using glproc::test::ThreadLimit;

namespace {

struct Free {
    void operator()(std::byte* memory) const { std::free(memory); }
};
using Block = std::unique_ptr<std::byte, Free>;

Block block_of(std::size_t bytes) {
    return Block(static_cast<std::byte*>(std::malloc(bytes)));
}

/// The share of its whole pages that are in memory.
double resident(const Block& block, std::size_t bytes) {
    const auto page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
    const std::uintptr_t first = (reinterpret_cast<std::uintptr_t>(block.get()) + page - 1) / page * page;
    std::vector<unsigned char> pages(bytes / page - 1);
    REQUIRE(::mincore(reinterpret_cast<void*>(first), pages.size() * page, pages.data()) == 0);
    std::size_t count = 0;
    for (const unsigned char one : pages) {
        count += one & 1U;
    }
    return static_cast<double>(count) / static_cast<double>(pages.size());
}

} // namespace

// Sanitizers bring a malloc() of their own.
#if defined(__GLIBC__) && defined(MADV_POPULATE_WRITE) && !defined(__SANITIZE_ADDRESS__)

TEST_CASE("blocks are touched before they are asked for, whoever asks for little things in between") {
    const std::size_t bytes = std::size_t{14} << 20U;
    for (const std::size_t threads : {1U, 4U}) {
        const ThreadLimit limit(threads);
        CHECK(resident(block_of(bytes), bytes) < 0.5); // else the test shows nothing
        warm_heap({bytes, bytes});
        const std::vector<std::byte> little(10000);
        const Block first = block_of(bytes);
        const std::vector<std::byte> more(100000);
        const Block second = block_of(bytes);
        CHECK(resident(first, bytes) > 0.98);
        CHECK(resident(second, bytes) > 0.98);
        ::mallopt(M_TRIM_THRESHOLD, 0); // what is freed leaves, for the next turn
    }
}

#endif

#ifdef __linux__

namespace {

/// What this process has in memory.
std::size_t resident_bytes() {
    std::ifstream file("/proc/self/statm");
    std::size_t all = 0;
    std::size_t resident = 0;
    file >> all >> resident;
    REQUIRE(file);
    return resident * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
}

} // namespace

TEST_CASE("where nothing is asked for, or too much to be kept, no memory is taken") {
    constexpr std::size_t little = std::size_t{1} << 20U;
    for (const std::vector<std::size_t>& blocks : {std::vector<std::size_t>{},
                                                   {std::size_t{1} << 40U},
                                                   {std::size_t{32} << 20U, std::size_t{1} << 30U}}) {
        const std::size_t before = resident_bytes();
        warm_heap(blocks);
        CHECK(resident_bytes() < before + little);
    }
}

#endif
