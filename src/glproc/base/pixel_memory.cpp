#include "glproc/base/pixel_memory.hpp"

#include <algorithm>
#include <cstdlib>
#include <new>

#include <sys/mman.h>

namespace glproc {

namespace {

/// Below this malloc() has the better memory: used before, and touched.
constexpr std::size_t large = std::size_t{1} << 20U;

/// Below this huge pages gain nothing, and a system whose memory is in pieces takes long to find them: 18 ms for a
/// picture of 11 MB (two cores, Linux 6, 2026-11-22).
constexpr std::size_t worth_huge_pages = std::size_t{24} << 20U;

} // namespace

PixelMemory::PixelMemory(std::size_t bytes) : block_(take(bytes), Release{bytes}) {}

PixelMemory::PixelMemory(const PixelMemory& other) : PixelMemory(other.size()) {
    std::copy_n(other.data(), other.size(), data());
}

PixelMemory& PixelMemory::operator=(const PixelMemory& other) {
    return *this = PixelMemory(other);
}

std::byte* PixelMemory::take(std::size_t bytes) {
    if (bytes < large) {
        void* block = std::calloc(std::max<std::size_t>(bytes, 1), 1);
        return block != nullptr ? static_cast<std::byte*>(block) : throw std::bad_alloc();
    }
    void* block = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (block == MAP_FAILED) {
        throw std::bad_alloc();
    }
    if (bytes >= worth_huge_pages) {
        ::madvise(block, bytes, MADV_HUGEPAGE); // only a wish
    }
    return static_cast<std::byte*>(block);
}

void PixelMemory::Release::operator()(std::byte* block) const {
    if (bytes < large) {
        std::free(block);
    } else {
        ::munmap(block, bytes);
    }
}

} // namespace glproc
