// Images between CPU memory, where rows are tight, and the texels of a GpuImage; arrays, which lie alike in
// both.
#include "glproc/error.hpp"
#include "glproc/gl/context.hpp"

#include <algorithm>
#include <cstring>
#include <memory>
#include <span>
#include <utility>

namespace glproc {

namespace {

/// RGB pixels become RGBA with the code of 1.0; T is the type of a channel value. All pixels but the last
/// move with their neighbour's first value, as four values are one load and one store.
template <class T>
void rgb_to_rgba(const std::byte* from, std::byte* to, int width, T opaque) {
    const auto* last = from + static_cast<std::size_t>(width - 1) * 3 * sizeof(T);
    for (; from != last; from += 3 * sizeof(T), to += 4 * sizeof(T)) {
        std::memcpy(to, from, 4 * sizeof(T));
        std::memcpy(to + 3 * sizeof(T), &opaque, sizeof(T));
    }
    std::memcpy(to, from, 3 * sizeof(T));
    std::memcpy(to + 3 * sizeof(T), &opaque, sizeof(T));
}

template <class T>
void rgba_to_rgb(const std::byte* from, std::byte* to, int width) {
    const auto* last = from + static_cast<std::size_t>(width - 1) * 4 * sizeof(T);
    for (; from != last; from += 4 * sizeof(T), to += 3 * sizeof(T)) {
        std::memcpy(to, from, 4 * sizeof(T)); // the next pixel puts its first value over the last
    }
    std::memcpy(to, from, 3 * sizeof(T));
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

/// Some rows of a texture in CPU memory, small enough to stay in the processor's cache: memory as large as
/// the image would be fresh, which costs more than all that is done here. Uninitialised, as the bytes beyond
/// a row's last pixel mean nothing.
class Band {
  public:
    explicit Band(const Texture& texture)
        : row_bytes_(texture.row_bytes()),
          height_(std::clamp(static_cast<int>(wanted / row_bytes_), 1, texture.height())),
          bytes_(
              std::make_unique_for_overwrite<std::byte[]>(row_bytes_ * static_cast<std::size_t>(height_))) {}

    std::byte* row(int y) { return bytes_.get() + static_cast<std::size_t>(y) * row_bytes_; }

    /// Calls `work` with the first row and the bytes of each band of the texture, and how many rows it has.
    template <class Work>
    void over(const Texture& texture, Work work) {
        for (int y = 0; y < texture.height(); y += height_) {
            const int rows = std::min(height_, texture.height() - y);
            work(y, rows, std::span(bytes_.get(), row_bytes_ * static_cast<std::size_t>(rows)));
        }
    }

  private:
    static constexpr std::size_t wanted = std::size_t{1} << 20U;
    std::size_t row_bytes_;
    int height_;
    std::unique_ptr<std::byte[]> bytes_;
};

} // namespace

GpuImage Context::upload(const Image& image, std::string_view label) {
    GpuImage result = make_image(image.form(), label);
    Texture& texture = result.texture();
    if (image.channels() != 3 && image.row_bytes() == texture.row_bytes()) {
        texture.write(image.bytes());
        return result;
    }
    Band band(texture);
    band.over(texture, [&](int first, int rows, std::span<const std::byte> bytes) {
        for (int y = 0; y < rows; ++y) {
            const std::byte* from = image.row(first + y);
            if (image.channels() == 3) {
                expand_row(from, band.row(y), image.width(), image.depth());
            } else {
                std::memcpy(band.row(y), from, image.row_bytes());
            }
        }
        texture.write(bytes, first);
    });
    return result;
}

GpuImage Context::copy(const GpuImage& image, std::string_view label) {
    GpuImage result = make_image(image.form(), label);
    pass("copy", "copy.comp")
        .reads("i_src", image)
        .writes("i_dst", result)
        .over(image.texture().width(), image.height());
    return result;
}

Image Context::download(const GpuImage& gpu_image, Image memory) {
    Image result = gpu_image.form() == memory.form() ? std::move(memory) : Image(gpu_image.form());
    const Texture& texture = gpu_image.texture();
    if (result.channels() != 3 && result.row_bytes() == texture.row_bytes()) {
        texture.read(result.bytes());
        finish();
        return result;
    }
    Band band(texture);
    band.over(texture, [&](int first, int rows, std::span<std::byte> bytes) {
        texture.read(bytes, first);
        for (int y = 0; y < rows; ++y) {
            std::byte* to = result.row(first + y);
            if (result.channels() == 3) {
                shrink_row(band.row(y), to, result.width(), result.depth());
            } else {
                std::memcpy(to, band.row(y), result.row_bytes());
            }
        }
    });
    finish();
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
