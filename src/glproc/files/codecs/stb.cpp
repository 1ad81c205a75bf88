// Writing TGA and Radiance HDR, through stb_image_write, which is compiled here and nowhere else. What stb
// has allocated when one of its callbacks throws is freed by StbMemory; this works because stb is compiled as
// C++.
#include "glproc/files/codecs/codecs.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <limits>
#include <new>

#include <fmt/format.h>

namespace glproc::codecs {
namespace {

/// Frees on destruction what stb allocated on this thread and did not free.
class StbMemory {
  public:
    StbMemory() = default;
    StbMemory(const StbMemory&) = delete;
    StbMemory& operator=(const StbMemory&) = delete;
    ~StbMemory() {
        for (void* block : blocks)
            std::free(block); // NOLINT(cppcoreguidelines-no-malloc)
        blocks.clear();
    }

    /// malloc, realloc and free in one. Throws std::bad_alloc.
    static void* resize(void* old, std::size_t size) {
        if (old == nullptr) {
            blocks.reserve(blocks.size() + 1);
        } else {
            std::erase(blocks, old);
        }
        void* block = size == 0 ? nullptr : std::realloc(old, size); // NOLINT(cppcoreguidelines-no-malloc)
        if (size == 0) {
            std::free(old); // NOLINT(cppcoreguidelines-no-malloc)
        } else {
            blocks.push_back(block == nullptr ? old : block);
        }
        if (size != 0 && block == nullptr)
            throw std::bad_alloc();
        return block;
    }

  private:
    inline static thread_local std::vector<void*> blocks;
};

} // namespace
} // namespace glproc::codecs

#define STBIW_MALLOC(size) ::glproc::codecs::StbMemory::resize(nullptr, std::max<std::size_t>(size, 1))
#define STBIW_REALLOC(block, size) ::glproc::codecs::StbMemory::resize(block, size)
#define STBIW_FREE(block) static_cast<void>(::glproc::codecs::StbMemory::resize(block, 0))
#define STB_IMAGE_WRITE_STATIC
#ifndef __clang_analyzer__ // others' code is not ours to lint
#define STB_IMAGE_WRITE_IMPLEMENTATION
#endif
#include <stb_image_write.h>

namespace glproc::codecs {
namespace {

/// Collects what stb_image_write puts out.
void append(void* context, void* data, int size) {
    auto& out = *static_cast<std::vector<std::byte>*>(context);
    const auto* bytes = static_cast<const std::byte*>(data);
    out.insert(out.end(), bytes, bytes + size);
}

/// stb_image_write counts in int; TGA stores sizes in 16 bits.
void check_limits(const Job& job, int max_side) {
    const Image& image = job.image;
    if (std::max(image.width(), image.height()) > max_side)
        fail(job, fmt::format("the format holds at most {0}x{0} pixels", max_side));
    if (static_cast<double>(image.width() + 3) * image.height() * static_cast<double>(image.pixel_bytes()) >
        2e9)
        fail(job, "the image is larger than the 2 GB that can be written in this format");
}

} // namespace

std::vector<std::byte> encode_tga(const Job& job) {
    const Image& image = job.image;
    check_limits(job, 65535);
    const StbMemory memory;
    std::vector<std::byte> out;
    stbi_write_tga_to_func(append, &out, image.width(), image.height(), image.channels(),
                           image.bytes().data());
    out.resize(out.size() + 8); // no further areas
    for (const char c : tga_signature) // by which the file is recognised without its name
        out.push_back(static_cast<std::byte>(c));
    return out;
}

std::vector<std::byte> encode_hdr(const Job& job) {
    const Image& image = job.image;
    check_limits(job, std::numeric_limits<int>::max());
    const auto values = image.values<float>();
    // Beyond 2^127 the shared exponent overflows.
    if (!std::all_of(values.begin(), values.end(), [](float v) { return std::abs(v) < 0x1p127F; }))
        fail(job, "Radiance HDR cannot hold infinite or undefined values");
    const bool is_cut = std::any_of(values.begin(), values.end(), [](float v) { return v < 0; });
    if (is_cut && job.options.notes == nullptr) // or nobody would hear of it
        fail(job, "Radiance HDR cannot hold negative values");
    std::vector<float> light;
    if (is_cut) { // as filters make them beside edges
        note(job, "values below 0 are cut, as Radiance HDR cannot hold them");
        std::transform(values.begin(), values.end(), std::back_inserter(light),
                       [](float v) { return std::max(v, 0.0F); });
    }
    const StbMemory memory;
    std::vector<std::byte> out;
    stbi_write_hdr_to_func(append, &out, image.width(), image.height(), image.channels(),
                           is_cut ? light.data() : values.data());
    return out;
}

} // namespace glproc::codecs
