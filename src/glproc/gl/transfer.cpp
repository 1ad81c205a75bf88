// Images between CPU memory, where rows are tight, and the texels of a GpuImage; arrays, which lie alike in
// both.
#include "glproc/error.hpp"
#include "glproc/gl/context.hpp"

#include <cstring>
#include <memory>

namespace glproc {

namespace {

/// RGB pixels become RGBA with the code of 1.0; T is the type of a channel value.
template <class T>
void rgb_to_rgba(const std::byte* from, std::byte* to, int width, T opaque) {
    for (int x = 0; x < width; ++x) {
        std::memcpy(to, from, 3 * sizeof(T));
        std::memcpy(to + 3 * sizeof(T), &opaque, sizeof(T));
        from += 3 * sizeof(T);
        to += 4 * sizeof(T);
    }
}

template <class T>
void rgba_to_rgb(const std::byte* from, std::byte* to, int width) {
    for (int x = 0; x < width; ++x) {
        std::memcpy(to, from, 3 * sizeof(T));
        from += 4 * sizeof(T);
        to += 3 * sizeof(T);
    }
}

void expand_row(const std::byte* from, std::byte* to, int width, Depth depth) {
    switch (depth) {
    case Depth::u8:
        return rgb_to_rgba<std::uint8_t>(from, to, width, 255);
    case Depth::u16:
        return rgb_to_rgba<std::uint16_t>(from, to, width, 65535);
    case Depth::f32:
        return rgb_to_rgba<float>(from, to, width, 1.0F);
    }
}

void shrink_row(const std::byte* from, std::byte* to, int width, Depth depth) {
    switch (depth) {
    case Depth::u8:
        return rgba_to_rgb<std::uint8_t>(from, to, width);
    case Depth::u16:
        return rgba_to_rgb<std::uint16_t>(from, to, width);
    case Depth::f32:
        return rgba_to_rgb<float>(from, to, width);
    }
}

/// Uninitialised: every byte of a texture is transferred, but the ones beyond a row's last pixel mean
/// nothing.
struct Staging {
    explicit Staging(const Texture& texture)
        : size(texture.row_bytes() * static_cast<std::size_t>(texture.height())),
          bytes(std::make_unique_for_overwrite<std::byte[]>(size)) {}
    std::size_t size;
    std::unique_ptr<std::byte[]> bytes;
};

} // namespace

GpuImage Context::upload(const Image& image, std::string_view label) {
    GpuImage result = make_image(image.width(), image.height(), image.channels(), image.depth(), label);
    Texture& texture = result.texture();
    if (image.channels() != 3 && image.row_bytes() == texture.row_bytes()) {
        texture.write(image.bytes());
        return result;
    }
    const Staging staging(texture);
    for (int y = 0; y < image.height(); ++y) {
        std::byte* to = staging.bytes.get() + static_cast<std::size_t>(y) * texture.row_bytes();
        if (image.channels() == 3) {
            expand_row(image.row(y), to, image.width(), image.depth());
        } else {
            std::memcpy(to, image.row(y), image.row_bytes());
        }
    }
    texture.write({staging.bytes.get(), staging.size});
    return result;
}

GpuImage Context::copy(const GpuImage& image, std::string_view label) {
    GpuImage result = make_image(image.width(), image.height(), image.channels(), image.depth(), label);
    result.texture().copy_from(image.texture());
    return result;
}

Image Context::download(const GpuImage& gpu_image) {
    Image result(gpu_image.width(), gpu_image.height(), gpu_image.channels(), gpu_image.depth());
    const Texture& texture = gpu_image.texture();
    if (result.channels() != 3 && result.row_bytes() == texture.row_bytes()) {
        texture.read(result.bytes());
        finish();
        return result;
    }
    const Staging staging(texture);
    texture.read({staging.bytes.get(), staging.size});
    finish();
    for (int y = 0; y < result.height(); ++y) {
        const std::byte* from = staging.bytes.get() + static_cast<std::size_t>(y) * texture.row_bytes();
        if (result.channels() == 3) {
            shrink_row(from, result.row(y), result.width(), result.depth());
        } else {
            std::memcpy(result.row(y), from, result.row_bytes());
        }
    }
    return result;
}

GpuArray Context::upload(const Array& array, std::string_view label) {
    GpuArray result{array.type, array.shape, make_buffer(array.bytes.size(), label)};
    result.words.write(array.bytes);
    return result;
}

Array Context::download(const GpuArray& array) {
    Array result{array.type, array.shape, array.words.read<std::byte>(array.words.bytes())};
    finish();
    return result;
}

} // namespace glproc
