// An image in CPU memory: what codecs produce and consume, and what is uploaded to a GPU.
#pragma once

#include "glproc/image/metadata.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace glproc {

/// The type of one channel value. The number is its size in bits.
enum class Depth : int { u8 = 8, u16 = 16, f32 = 32 };

/// Bytes of one channel value.
constexpr std::size_t bytes_of(Depth depth) {
    return static_cast<std::size_t>(depth) / 8;
}

/// The code that stands for 1.0: 255, 65535, or 1 for float.
constexpr double max_code(Depth depth) {
    return depth == Depth::u8 ? 255.0 : depth == Depth::u16 ? 65535.0 : 1.0;
}

/// Width, height, 1-4 interleaved channels (grey; grey+alpha; RGB; RGBA, alpha not premultiplied), origin top
/// left, row-major, rows contiguous without padding, native byte order.
class Image {
  public:
    Image() = default;

    /// A zero-filled image. Throws Error(operation) unless width and height are at least 1 and channels is
    /// 1-4.
    Image(int width, int height, int channels, Depth depth);

    int width() const { return width_; }
    int height() const { return height_; }
    int channels() const { return channels_; }
    Depth depth() const { return depth_; }
    bool has_alpha() const { return channels_ == 2 || channels_ == 4; }

    std::size_t pixel_bytes() const { return static_cast<std::size_t>(channels_) * bytes_of(depth_); }
    std::size_t row_bytes() const { return static_cast<std::size_t>(width_) * pixel_bytes(); }

    std::span<std::byte> bytes() { return bytes_; }
    std::span<const std::byte> bytes() const { return bytes_; }
    std::byte* row(int y) { return bytes_.data() + static_cast<std::size_t>(y) * row_bytes(); }
    const std::byte* row(int y) const { return bytes_.data() + static_cast<std::size_t>(y) * row_bytes(); }

    /// All values as T, which must be the type of depth(): std::uint8_t, std::uint16_t or float.
    template <class T>
    std::span<T> values() {
        return {reinterpret_cast<T*>(bytes_.data()), bytes_.size() / sizeof(T)};
    }
    template <class T>
    std::span<const T> values() const {
        return {reinterpret_cast<const T*>(bytes_.data()), bytes_.size() / sizeof(T)};
    }

    /// One channel value as a number in code units (0-255, 0-65535, or the float itself).
    double at(int x, int y, int channel) const;

    /// What the file said beside the pixels; it does not travel through operations by itself.
    const Metadata& metadata() const { return metadata_; }
    void set_metadata(Metadata metadata) { metadata_ = std::move(metadata); }

  private:
    int width_ = 0;
    int height_ = 0;
    int channels_ = 0;
    Depth depth_ = Depth::u8;
    std::vector<std::byte> bytes_;
    Metadata metadata_;
};

/// The same picture with values of another depth: clamped, and rounded half to even. Codes and floats meet at
/// 0 and max_code().
Image with_depth(Image image, Depth depth);

} // namespace glproc
