// Channels by the names that users type (luma, r, g, b, a), read from an image in CPU memory.
#pragma once

#include "glproc/image/image.hpp"
#include "glproc/op/field.hpp"

#include <cstdint>
#include <span>

namespace glproc {

/// The channels that can be counted. For a grey image luma, r, g and b are all its grey value.
enum class HistogramChannel { luma, red, green, blue, alpha };

template <>
inline constexpr std::array<EnumRow<HistogramChannel>, 5> enum_rows<HistogramChannel>{
    EnumRow{HistogramChannel::luma, "luma", "brightness: a weighted sum of r, g and b"},
    EnumRow{HistogramChannel::red, "r", "red, or the grey of a grey image"},
    EnumRow{HistogramChannel::green, "g", "green, or the grey of a grey image"},
    EnumRow{HistogramChannel::blue, "b", "blue, or the grey of a grey image"},
    EnumRow{HistogramChannel::alpha, "a", "opacity, if the image has it"},
};

/// The weights of r, g and b in luma, which is taken of encoded values (no gamma is undone).
enum class LumaWeights { rec709, rec601 };

template <>
inline constexpr std::array<EnumRow<LumaWeights>, 2> enum_rows<LumaWeights>{
    EnumRow{LumaWeights::rec709, "rec709",
            "0.2126 R + 0.7152 G + 0.0722 B (ITU-R BT.709): HD video and sRGB images"},
    EnumRow{LumaWeights::rec601, "rec601",
            "0.299 R + 0.587 G + 0.114 B (ITU-R BT.601): used by JPEG and OpenCV"},
};

/// Weights of luma as whole numbers, and their sum.
struct LumaRule {
    std::uint32_t red;
    std::uint32_t green;
    std::uint32_t blue;
    std::uint32_t sum;

    /// A weight as a fraction of 1.
    float part(std::uint32_t weight) const { return static_cast<float>(double(weight) / double(sum)); }
};

constexpr LumaRule luma_rule(LumaWeights weights) {
    return weights == LumaWeights::rec709 ? LumaRule{2126, 7152, 722, 10000} : LumaRule{299, 587, 114, 1000};
}

/// Drivers may or may not flush denormal numbers. Magnitudes below 2^-96 therefore count as 0 everywhere;
/// with these gone, no difference or product on a value's way into its bin is denormal.
constexpr float without_tiny(float value) {
    return value < 0x1p-96F && value > -0x1p-96F ? 0.0F : value;
}

/// Throws Error(usage) for the alpha of an image that has none.
void check_exists(HistogramChannel channel, bool has_alpha);

/// One channel of an image, row by row. The image must outlive it.
class Samples {
  public:
    /// Without `hidden` the colours of pixels that are fully transparent are none of them. Throws as
    /// check_exists().
    Samples(const Image& image, HistogramChannel channel, LumaWeights weights, bool hidden = true);

    const Image& image() const { return image_; }

    /// The scale of the numbers of row(): number / unit() is the value in code units. 1, or the sum of luma's
    /// weights.
    std::uint32_t unit() const { return is_luma_ ? rule_.sum : 1; }
    /// The number for 1.0, the largest possible: below 2^30.
    std::uint32_t full() const { return unit() * static_cast<std::uint32_t>(max_code(image_.depth())); }

    /// Row y of an integer image, and how much of `numbers` it fills: exact whole numbers, in units of 1 /
    /// unit() code.
    std::span<std::uint32_t> row(int y, std::span<std::uint32_t> numbers) const;
    /// The same of a float image. Luma is a float that every variant of the histogram computes by the same
    /// operations.
    std::span<float> row(int y, std::span<float> values) const;

  private:
    const Image& image_;
    LumaRule rule_;
    bool is_luma_; ///< of an image that has colours
    bool skips_;   ///< pixels that are fully transparent
    std::size_t index_;
};

} // namespace glproc
