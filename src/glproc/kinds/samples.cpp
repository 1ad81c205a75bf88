#include "glproc/kinds/samples.hpp"

#include "glproc/base/error.hpp"

#include <cmath>

namespace glproc {

namespace {

/// The stored channel that stands for `channel`; never asked for the luma of colours.
std::size_t channel_index(const Image& image, HistogramChannel channel) {
    if (channel == HistogramChannel::alpha) {
        return static_cast<std::size_t>(image.channels()) - 1;
    }
    if (image.channels() < 3 || channel == HistogramChannel::luma) {
        return 0;
    }
    return static_cast<std::size_t>(channel) - static_cast<std::size_t>(HistogramChannel::red);
}

/// Summed as a distance from green, because the luma of a grey pixel is then its grey value to the last bit,
/// and white never exceeds 1. The same operations in the same order are in glsl/lib/luma.glsl.
float float_luma(const LumaRule& rule, float red, float green, float blue) {
    const float from_red = rule.part(rule.red) * (red - green);
    const float from_blue = rule.part(rule.blue) * (blue - green);
    const float luma = green + (from_red + from_blue);
    if (!std::isnan(luma)) {
        return luma;
    }
    // Differences of infinite channels may be NaN; the weighted sum then tells which it is.
    return rule.part(rule.red) * red + rule.part(rule.green) * green + rule.part(rule.blue) * blue;
}

/// The channels of the pixels of a row. Some may be skipped. T is the type of a channel value.
struct Row {
    const Image& image;
    int y;
    bool skips;

    /// make(the channels of a pixel) for each of them.
    template <class T, class Out, class Make>
    std::span<Out> make(std::span<Out> out, const Make& make) const {
        const auto channels = static_cast<std::size_t>(image.channels());
        const T* pixel = image.values<T>().data() + static_cast<std::size_t>(y) * out.size() * channels;
        if (!skips) {
            for (Out& value : out) {
                value = make(pixel);
                pixel += channels;
            }
            return out;
        }
        std::size_t count = 0;
        for (std::size_t x = 0; x < out.size(); ++x, pixel += channels) {
            if (without_tiny(static_cast<float>(pixel[channels - 1])) != 0) {
                out[count++] = make(pixel);
            }
        }
        return out.first(count);
    }
};

template <class T>
std::span<std::uint32_t> whole_row(const Row& row, std::span<std::uint32_t> out, const LumaRule* luma,
                                   std::size_t index) {
    if (luma == nullptr) {
        return row.make<T>(out, [=](const T* pixel) { return std::uint32_t{pixel[index]}; });
    }
    const LumaRule rule = *luma;
    return row.make<T>(out, [=](const T* pixel) {
        return rule.red * pixel[0] + rule.green * pixel[1] + rule.blue * pixel[2];
    });
}

} // namespace

void check_exists(HistogramChannel channel, bool has_alpha) {
    if (channel == HistogramChannel::alpha && !has_alpha) {
        throw Error(ErrorCode::usage, "the image has no alpha channel to count", "leave a out of --channels");
    }
}

Samples::Samples(const Image& image, HistogramChannel channel, LumaWeights weights, bool hidden)
    : image_(image), rule_(luma_rule(weights)),
      is_luma_(channel == HistogramChannel::luma && image.channels() >= 3),
      skips_(!hidden && image.has_alpha() && channel != HistogramChannel::alpha),
      index_(channel_index(image, channel)) {
    check_exists(channel, image.has_alpha());
}

std::span<std::uint32_t> Samples::row(int y, std::span<std::uint32_t> numbers) const {
    const LumaRule* luma = is_luma_ ? &rule_ : nullptr;
    const Row row{image_, y, skips_};
    return image_.depth() == Depth::u8 ? whole_row<std::uint8_t>(row, numbers, luma, index_)
                                       : whole_row<std::uint16_t>(row, numbers, luma, index_);
}

std::span<float> Samples::row(int y, std::span<float> values) const {
    const Row row{image_, y, skips_};
    if (is_luma_) {
        return row.make<float>(values, [this](const float* pixel) {
            return float_luma(rule_, without_tiny(pixel[0]), without_tiny(pixel[1]), without_tiny(pixel[2]));
        });
    }
    return row.make<float>(values, [this](const float* pixel) { return without_tiny(pixel[index_]); });
}

} // namespace glproc
