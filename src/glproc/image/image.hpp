// An image in CPU memory: what codecs produce and consume, and what is uploaded to a GPU.
#pragma once

#include "glproc/base/pixel_memory.hpp"
#include "glproc/image/metadata.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>

namespace glproc {

/// The type of one channel value. The number is its size in bits.
enum class Depth : int { u8 = 8, u16 = 16, f32 = 32 };

/// Bytes of one channel value.
constexpr std::size_t bytes_of(Depth depth) {
    return static_cast<std::size_t>(depth) / 8;
}

/// The code of white: 255, 65535, or 1 for float.
constexpr double max_code(Depth depth) {
    return depth == Depth::u8 ? 255.0 : depth == Depth::u16 ? 65535.0 : 1.0;
}

/// The values from `low` to `high`.
struct Interval {
    double low = 0;
    double high = 1;
    bool operator==(const Interval&) const = default;
};

/// What floats stand for: numbers of any kind, values on the curve of sRGB or of a profile, or values in
/// proportion to light. Codes of 8 and 16 bits are encoded.
enum class Light { unknown, encoded, linear };

/// The size, channels and depth of a picture, and what its values mean, without its pixels.
struct Form {
    int width = 0;
    int height = 0;
    int channels = 0; ///< 1-4: grey; grey and alpha; RGB; RGBA, alpha not premultiplied
    Depth depth = Depth::u8;
    Light light = Light::unknown;          ///< of floats
    std::optional<Interval> range = {}; ///< of floats that were integers of another type: that of their type

    /// Whether values are on a curve.
    bool is_encoded() const { return depth != Depth::f32 || light == Light::encoded; }
    bool has_alpha() const { return channels == 2 || channels == 4; }
    std::size_t pixel_bytes() const { return static_cast<std::size_t>(channels) * bytes_of(depth); }
    std::size_t row_bytes() const { return static_cast<std::size_t>(width) * pixel_bytes(); }
    std::size_t bytes() const { return row_bytes() * static_cast<std::size_t>(height); }

    /// Whether pixels lie alike in memory, whatever they mean.
    bool operator==(const Form& other) const {
        return width == other.width && height == other.height && channels == other.channels && depth == other.depth;
    }
};

/// Width, height, 1-4 interleaved channels (grey; grey+alpha; RGB; RGBA, alpha not premultiplied), origin top
/// left, row-major, rows contiguous without padding, native byte order.
class Image {
  public:
    Image() = default;

    /// A zero-filled image. Throws Error(operation) unless width and height are at least 1 and channels is
    /// 1-4.
    explicit Image(const Form& form);
    Image(int width, int height, int channels, Depth depth) : Image(Form{width, height, channels, depth}) {}

    const Form& form() const { return form_; }
    int width() const { return form_.width; }
    int height() const { return form_.height; }
    int channels() const { return form_.channels; }
    Depth depth() const { return form_.depth; }
    bool has_alpha() const { return form_.has_alpha(); }

    std::size_t pixel_bytes() const { return form_.pixel_bytes(); }
    std::size_t row_bytes() const { return form_.row_bytes(); }

    std::span<std::byte> bytes() { return {bytes_.data(), bytes_.size()}; }
    std::span<const std::byte> bytes() const { return {bytes_.data(), bytes_.size()}; }
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

    /// What its values mean, as Form says.
    void set_light(Light light) { form_.light = light; }
    void set_range(std::optional<Interval> range) { form_.range = range; }

    /// The metadata of the file. Operations do not copy it to their results.
    const Metadata& metadata() const { return metadata_; }
    void set_metadata(Metadata metadata) { metadata_ = std::move(metadata); }

  private:
    Form form_;
    PixelMemory bytes_;
    Metadata metadata_;
};

/// The same picture with another depth, whose codes, where it had any, are encoded values: 0 stays 0 and max_code() becomes max_code(), values between are
/// scaled, clamped, and rounded half to even.
Image with_depth(Image image, Depth depth);

/// The form of that.
Form form_in_depth(Form form, Depth depth);

/// The same for bare values: all of `values`, of depth `from`, into `out`.
void convert_depth(std::span<const std::byte> values, Depth from, std::span<std::byte> out, Depth to);

} // namespace glproc
