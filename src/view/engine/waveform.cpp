#include "view/engine/waveform.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>

namespace glproc::view {

namespace {

/// Nothing for what is not a number.
template <class T>
int level_of(T value) {
    if constexpr (std::is_floating_point_v<T>) {
        return std::isnan(value) ? -1 : static_cast<int>(std::lround(std::clamp(value, T{0}, T{1}) * 255));
    } else {
        constexpr int full = std::numeric_limits<T>::max();
        return (static_cast<int>(value) * 255 + full / 2) / full;
    }
}

} // namespace

Waveform::Waveform(const Image& image)
    : columns_(std::min(image.width(), most_columns)), channels_(image.channels() < 3 ? 1 : 3),
      strip_pixels_(static_cast<double>(image.height()) * image.width() / columns_),
      counts_(static_cast<std::size_t>(channels_) * static_cast<std::size_t>(columns_) * levels) {
    switch (image.depth()) {
    case Depth::u8:
        count<std::uint8_t>(image);
        break;
    case Depth::u16:
        count<std::uint16_t>(image);
        break;
    case Depth::f32:
        count<float>(image);
        break;
    }
}

template <class T>
void Waveform::count(const Image& image) {
    std::vector<int> column_of(static_cast<std::size_t>(image.width()));
    for (std::size_t x = 0; x < column_of.size(); ++x) {
        column_of[x] = static_cast<int>(x * static_cast<std::size_t>(columns_) / column_of.size());
    }
    const auto values = image.values<T>();
    auto value = values.begin();
    for (int y = 0; y < image.height(); ++y) {
        for (const int column : column_of) {
            for (int channel = 0; channel < channels_; ++channel) {
                if (const int level = level_of(value[channel]); level >= 0) {
                    ++counts_[at(channel, column, level)];
                }
            }
            value += image.channels();
        }
    }
}

std::vector<std::uint8_t> picture_of(const Waveform& waveform) {
    const int width = waveform.columns();
    std::vector<std::uint8_t> pixels(static_cast<std::size_t>(width) * Waveform::levels * 4);
    // A strip is brightest at a level that a 32nd of its pixels have: even tones are lines, noise is a cloud.
    const double full = std::max(waveform.strip_pixels() / 32, 1.0);
    auto pixel = pixels.begin();
    for (int level = Waveform::levels - 1; level >= 0; --level) {
        for (int column = 0; column < width; ++column, pixel += 4) {
            const auto light = [&](int channel) {
                const int from = waveform.channels() == 1 ? 0 : channel;
                const double share = std::sqrt(waveform.count(from, column, level) / full);
                return static_cast<std::uint8_t>(std::lround(255 * std::min(share, 1.0)));
            };
            for (int channel = 0; channel < 3; ++channel) {
                pixel[channel] = light(channel);
            }
            pixel[3] = 255;
        }
    }
    return pixels;
}

} // namespace glproc::view
