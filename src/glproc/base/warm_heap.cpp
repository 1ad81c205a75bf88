#include "glproc/base/warm_heap.hpp"

#include "glproc/base/covering.hpp"
#include "glproc/base/parallel.hpp"

#include <cstdint>
#include <cstdlib>

#include <sys/mman.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace glproc {

#if defined(__GLIBC__) && defined(MADV_POPULATE_WRITE)

namespace {

/// Smaller blocks lie in the heap, which keeps what is freed, larger ones in mappings of their own; glibc
/// allows no more than this.
constexpr std::size_t most_in_heap = std::size_t{32} << 20U;

constexpr std::size_t part = std::size_t{2} << 20U;

bool keeps_blocks = true;

/// Takes half as long as touching page after page. Systems that cannot do it refuse.
void touch(void* memory) {
    constexpr std::uintptr_t page = 4096;
    const std::uintptr_t first = covering(reinterpret_cast<std::uintptr_t>(memory), page) * page;
    ::madvise(reinterpret_cast<void*>(first), part - page, MADV_POPULATE_WRITE);
}

} // namespace

void warm_heap(const std::vector<std::size_t>& blocks) {
    std::size_t bytes = 0;
    for (const std::size_t block : blocks) {
        bytes += block < most_in_heap ? block : 0;
    }
    if (bytes == 0 || !keeps_blocks) {
        return;
    }
    ::mallopt(M_MMAP_THRESHOLD, most_in_heap);
    ::mallopt(M_TRIM_THRESHOLD, 4 * most_in_heap);       // kept, although the end of the heap is free
    constexpr std::size_t slack = std::size_t{3} << 20U; // for programs, and rows on their way
    std::vector<void*> parts(covering(bytes + slack, part));
    for (void*& one : parts) {
        one = std::malloc(part);
    }
    parallel_for(parts.size(), [&](std::size_t i) { touch(parts[i]); });
    for (void* one : parts) {
        std::free(one);
    }
}

void keep_no_large_blocks() {
    constexpr int most_kept = 1 << 20; // a value of its own keeps glibc from raising it
    ::mallopt(M_MMAP_THRESHOLD, most_kept);
    keeps_blocks = false;
}

#else

void warm_heap(const std::vector<std::size_t>& /*blocks*/) {}

void keep_no_large_blocks() {}

#endif

} // namespace glproc
