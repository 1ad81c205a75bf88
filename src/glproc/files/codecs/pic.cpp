// Softimage PIC, by stb_image, which is compiled here and nowhere else in the program.
#include "glproc/files/codecs/big_endian.hpp"
#include "glproc/files/codecs/codecs.hpp"
#include "glproc/files/codecs/little.hpp"

#include <algorithm>
#include <limits>
#include <memory>

#include <fmt/format.h>

#define STB_IMAGE_STATIC
#define STBI_ONLY_PIC
#define STBI_NO_STDIO
#ifndef __clang_analyzer__ // others' code is not ours to lint
#define STB_IMAGE_IMPLEMENTATION
#endif
#include <stb_image.h>

namespace glproc::codecs {

namespace {

/// stb_image reads on where the file has ended, and allocates for whatever a header says.
void check_header(const Source& source) {
    constexpr std::size_t header_size = 104;
    constexpr double most_pixels_per_byte = 65535 / 4.0; // a run of one value: its kind, its length, the value
    if (source.bytes.size() < header_size || source.bytes.size() > std::numeric_limits<int>::max() ||
        !begins_with(source.bytes.subspan(88), "PICT")) {
        fail(source, "corrupt PIC");
    }
    check_size(source, big_number(source.bytes.subspan(92), 2), big_number(source.bytes.subspan(94), 2), most_pixels_per_byte);
}

} // namespace

Image decode_pic(const Source& source) {
    check_header(source);
    const auto* bytes = reinterpret_cast<const stbi_uc*>(source.bytes.data()); // NOLINT: bytes by another name
    int width = 0;
    int height = 0;
    int channels = 0;
    const std::unique_ptr<stbi_uc, void (*)(void*)> pixels(
        stbi_load_from_memory(bytes, static_cast<int>(source.bytes.size()), &width, &height, &channels, 4), &stbi_image_free);
    if (!pixels) {
        fail(source, fmt::format("corrupt PIC: {}", stbi_failure_reason()));
    }
    Image image(width, height, 4, Depth::u8);
    std::copy_n(pixels.get(), image.bytes().size(), image.values<std::uint8_t>().begin());
    return channels == 3 ? first_channels(image, 3) : image;
}

} // namespace glproc::codecs
