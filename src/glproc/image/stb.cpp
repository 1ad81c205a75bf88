// BMP, TGA, Radiance HDR and GIF, through stb_image and stb_image_write, which are compiled here and
// nowhere else.
//
// stb takes missing bytes for zeros. Here the callbacks that feed it throw instead, so that no truncated file
// passes for a picture; what stb has allocated by then is freed by StbMemory. This works because stb is
// compiled as C++.
#include "glproc/image/codecs.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
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

#define STBI_MALLOC(size) ::glproc::codecs::StbMemory::resize(nullptr, std::max<std::size_t>(size, 1))
#define STBI_REALLOC(block, size) ::glproc::codecs::StbMemory::resize(block, size)
#define STBI_FREE(block) static_cast<void>(::glproc::codecs::StbMemory::resize(block, 0))
#define STBI_ONLY_BMP
#define STBI_ONLY_TGA
#define STBI_ONLY_HDR
#define STBI_ONLY_GIF
#define STBI_NO_STDIO
#define STBI_FAILURE_USERMSG
#define STB_IMAGE_STATIC
#ifndef __clang_analyzer__ // others' code is not ours to lint
#define STB_IMAGE_IMPLEMENTATION
#endif
#include <stb_image.h>

#define STBIW_MALLOC STBI_MALLOC
#define STBIW_REALLOC STBI_REALLOC
#define STBIW_FREE STBI_FREE
#define STB_IMAGE_WRITE_STATIC
#ifndef __clang_analyzer__
#define STB_IMAGE_WRITE_IMPLEMENTATION
#endif
#include <stb_image_write.h>

namespace glproc::codecs {
namespace {

/// Feeds a file to stb and throws Error(input) when stb wants more than there is.
class Feed {
  public:
    Feed(const Source& source, std::string_view title) : source_(source), title_(title) {}

    static stbi_io_callbacks callbacks() {
        return {[](void* self, char* out, int size) { return static_cast<Feed*>(self)->read(out, size); },
                [](void* self, int count) { static_cast<Feed*>(self)->skip(count); },
                [](void* self) { return static_cast<Feed*>(self)->left() == 0 ? 1 : 0; }};
    }

  private:
    std::size_t left() const { return source_.bytes.size() - position_; }

    /// stb either fills its own buffer, where less than asked for is all right, or asks for exactly what it
    /// needs. Its very first call is for the buffer, which tells the two apart.
    int read(char* out, int size) {
        if (buffer_ == nullptr)
            buffer_ = out;
        const std::size_t count = std::min(left(), static_cast<std::size_t>(size));
        if (count == 0 || (out != buffer_ && count != static_cast<std::size_t>(size)))
            truncated();
        std::memcpy(out, source_.bytes.data() + position_, count);
        position_ += count;
        return static_cast<int>(count);
    }

    void skip(int count) {
        if (count < 0 || static_cast<std::size_t>(count) > left())
            truncated();
        position_ += static_cast<std::size_t>(count);
    }

    [[noreturn]] void truncated() const { fail(source_, fmt::format("truncated {}", title_)); }

    const Source& source_;
    std::string_view title_;
    std::size_t position_ = 0;
    const char* buffer_ = nullptr;
};

/// Decodes with one of stb's load functions, after a look at the size. `T` is the type of a channel value.
template <class T>
Image decode_stb(const Source& source, std::string_view title, Depth depth, double max_pixels_per_byte,
                 T* (*load)(const stbi_io_callbacks*, void*, int*, int*, int*, int)) {
    const StbMemory memory;
    const stbi_io_callbacks callbacks = Feed::callbacks();
    int width = 0;
    int height = 0;
    int channels = 0;
    Feed info(source, title);
    if (stbi_info_from_callbacks(&callbacks, &info, &width, &height, &channels) == 0)
        fail(source, fmt::format("corrupt or unsupported {}", title));
    check_size(source, static_cast<std::uint64_t>(std::max(width, 0)),
               static_cast<std::uint64_t>(std::max(height, 0)), max_pixels_per_byte);
    Feed data(source, title);
    const T* pixels = load(&callbacks, &data, &width, &height, &channels, 0);
    if (pixels == nullptr)
        fail(source, fmt::format("corrupt {}: {}", title, stbi_failure_reason()));
    Image image(width, height, channels, depth);
    std::memcpy(image.bytes().data(), pixels, image.bytes().size());
    return image;
}

/// The first `channels` channels of each pixel.
Image first_channels(const Image& image, int channels) {
    Image result(image.width(), image.height(), channels, image.depth());
    const std::byte* from = image.bytes().data();
    for (std::byte* to = result.row(0); to != result.bytes().data() + result.bytes().size();
         to += result.pixel_bytes(), from += image.pixel_bytes())
        std::memcpy(to, from, result.pixel_bytes());
    return result;
}

/// `count` bytes at `offset` as a little-endian number; 0 beyond the end.
std::uint64_t little(const Source& source, std::size_t offset, std::size_t count) {
    std::uint64_t value = 0;
    for (std::size_t i = count; i-- > 0;) {
        value =
            value << 8U |
            (offset + i < source.bytes.size() ? std::to_integer<std::uint64_t>(source.bytes[offset + i]) : 0);
    }
    return value;
}

constexpr std::size_t bmp_file_header = 14;

/// True for a BMP of 1 to 8 bits a pixel whose palette has nothing but greys: a grey picture.
bool has_grey_palette(const Source& source) {
    const std::uint64_t info_size = little(source, bmp_file_header, 4);
    const bool old = info_size == 12;
    if (little(source, bmp_file_header + (old ? 10 : 14), 2) > 8)
        return false;
    const std::size_t entry = old ? 3 : 4;
    const std::size_t end = std::min<std::size_t>(little(source, 10, 4), source.bytes.size());
    for (std::size_t i = bmp_file_header + info_size; i + entry <= end; i += entry) {
        if (source.bytes[i] != source.bytes[i + 1] || source.bytes[i] != source.bytes[i + 2])
            return false;
    }
    return true;
}

/// Collects what stb_image_write puts out.
void append(void* context, void* data, int size) {
    auto& out = *static_cast<std::vector<std::byte>*>(context);
    const auto* bytes = static_cast<const std::byte*>(data);
    out.insert(out.end(), bytes, bytes + size);
}

/// stb_image_write counts in int; BMP and TGA store sizes in 32 and 16 bits.
void check_limits(const Job& job, int max_side) {
    const Image& image = job.image;
    if (std::max(image.width(), image.height()) > max_side)
        fail(job, fmt::format("the format holds at most {0}x{0} pixels", max_side));
    if (static_cast<double>(image.width() + 3) * image.height() * static_cast<double>(image.pixel_bytes()) >
        2e9)
        fail(job, "the image is larger than the 2 GB that can be written in this format");
}

void put_little(std::vector<std::byte>& out, std::uint64_t value, std::size_t count) {
    for (; count > 0; --count, value >>= 8U)
        out.push_back(static_cast<std::byte>(value));
}

/// An 8-bit BMP with a grey palette, rows bottom up; stb would write grey as colour.
std::vector<std::byte> encode_grey_bmp(const Image& image) {
    const std::size_t stride = (image.row_bytes() + 3) / 4 * 4;
    const std::size_t data_size = stride * static_cast<std::size_t>(image.height());
    constexpr std::size_t data_offset = bmp_file_header + 40 + std::size_t{4} * 256;
    std::vector<std::byte> out{std::byte{'B'}, std::byte{'M'}};
    out.reserve(data_offset + data_size);
    put_little(out, data_offset + data_size, 4);
    put_little(out, 0, 4);
    put_little(out, data_offset, 4);
    put_little(out, 40, 4);
    put_little(out, static_cast<std::uint64_t>(image.width()), 4);
    put_little(out, static_cast<std::uint64_t>(image.height()), 4);
    put_little(out, 1, 2);
    put_little(out, 8, 2);
    put_little(out, 0, 4);
    put_little(out, data_size, 4);
    put_little(out, 0, 16); // resolution, colours used and important: unspecified
    for (std::uint64_t grey = 0; grey < 256; ++grey)
        put_little(out, grey * 0x010101, 4);
    for (int y = image.height() - 1; y >= 0; --y) {
        out.insert(out.end(), image.row(y), image.row(y) + image.row_bytes());
        out.resize(out.size() + stride - image.row_bytes());
    }
    return out;
}

} // namespace

Image decode_bmp(const Source& source) {
    const std::uint64_t info_size = little(source, bmp_file_header, 4);
    if (info_size != 12 && info_size != 40 && info_size != 56 && info_size != 108 && info_size != 124)
        fail(source, "corrupt BMP: unknown kind of header");
    Image image = decode_stb(source, "BMP", Depth::u8, 8, stbi_load_from_callbacks);
    return image.channels() == 3 && has_grey_palette(source) ? first_channels(image, 1) : image;
}

Image decode_tga(const Source& source) {
    return decode_stb(source, "TGA", Depth::u8, 64, stbi_load_from_callbacks);
}

Image decode_hdr(const Source& source) {
    return decode_stb(source, "HDR", Depth::f32, 16, stbi_loadf_from_callbacks);
}

Image decode_gif(const Source& source) {
    constexpr double lzw_bound = 4096 / 1.5; // a 12-bit code stands for 4096 pixels at most
    Image image = decode_stb(source, "GIF", Depth::u8, lzw_bound, stbi_load_from_callbacks);
    if (image.channels() != 4) // of a GIF; stb reads whatever the bytes are
        fail(source, "corrupt or unsupported GIF");
    if (const int frames = count_gif_frames(source.bytes); frames > 1)
        note(source, fmt::format("has {} frames, of which the first is taken", frames));
    const auto values = image.values<std::uint8_t>();
    for (std::size_t i = 3; i < values.size(); i += 4) {
        if (values[i] != 255)
            return image;
    }
    return first_channels(image, 3);
}

std::vector<std::byte> encode_bmp(const Job& job) {
    const Image& image = job.image;
    check_limits(job, std::numeric_limits<int>::max());
    if (image.channels() == 1)
        return encode_grey_bmp(image);
    const StbMemory memory;
    std::vector<std::byte> out;
    stbi_write_bmp_to_func(append, &out, image.width(), image.height(), image.channels(),
                           image.bytes().data());
    return out;
}

std::vector<std::byte> encode_tga(const Job& job) {
    const Image& image = job.image;
    check_limits(job, 65535);
    const StbMemory memory;
    std::vector<std::byte> out;
    stbi_write_tga_to_func(append, &out, image.width(), image.height(), image.channels(),
                           image.bytes().data());
    return out;
}

std::vector<std::byte> encode_hdr(const Job& job) {
    const Image& image = job.image;
    check_limits(job, std::numeric_limits<int>::max());
    const auto values = image.values<float>();
    // Beyond 2^127 the shared exponent overflows.
    if (!std::all_of(values.begin(), values.end(), [](float v) { return v >= 0 && v < 0x1p127F; }))
        fail(job, "Radiance HDR cannot hold negative, infinite or undefined values");
    const StbMemory memory;
    std::vector<std::byte> out;
    stbi_write_hdr_to_func(append, &out, image.width(), image.height(), image.channels(), values.data());
    return out;
}

} // namespace glproc::codecs
