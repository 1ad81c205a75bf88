// stb_image, as a decoder that is not ours.
#pragma once

#include "files/pictures.hpp"

#include <cstring>

#define STB_IMAGE_STATIC
#ifndef __clang_analyzer__ // others' code is not ours to lint
#define STB_IMAGE_IMPLEMENTATION
#endif
#include <stb_image.h>

namespace glproc::test {

/// stb_image's idea of the file, as an Image, with its channels or as many as are asked for.
inline Image read_with_stb(const Bytes& file, Depth depth, int channels = 0) {
    int width = 0;
    int height = 0;
    int stored = 0;
    const auto* data = reinterpret_cast<const stbi_uc*>(file.data());
    const int size = static_cast<int>(file.size());
    void* pixels = nullptr;
    switch (depth) {
    case Depth::u8:
        pixels = stbi_load_from_memory(data, size, &width, &height, &stored, channels);
        break;
    case Depth::u16:
        pixels = stbi_load_16_from_memory(data, size, &width, &height, &stored, channels);
        break;
    case Depth::f32:
        pixels = stbi_loadf_from_memory(data, size, &width, &height, &stored, channels);
        break;
    }
    REQUIRE(pixels != nullptr);
    Image image(width, height, channels == 0 ? stored : channels, depth);
    std::memcpy(image.bytes().data(), pixels, image.bytes().size());
    stbi_image_free(pixels);
    return image;
}

} // namespace glproc::test
