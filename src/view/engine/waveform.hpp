// How bright an image is at each place from left to right, as editors of video judge it. No window, no OpenGL.
#pragma once

#include "glproc/image/image.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace glproc::view {

/// How many pixels of each strip of columns have which value.
class Waveform {
  public:
    static constexpr int levels = 256; ///< from black to white
    static constexpr int most_columns = 256;

    /// Values beyond black and white count as these, and those that are not numbers not at all.
    explicit Waveform(const Image& image);

    int columns() const { return columns_; }
    /// 1 for grey, 3 for colours.
    int channels() const { return channels_; }
    std::uint32_t count(int channel, int column, int level) const { return counts_[at(channel, column, level)]; }
    /// Of the image, on average.
    double strip_pixels() const { return strip_pixels_; }

  private:
    std::size_t at(int channel, int column, int level) const {
        return (static_cast<std::size_t>(channel) * static_cast<std::size_t>(columns_) +
                static_cast<std::size_t>(column)) *
                   levels +
               static_cast<std::size_t>(level);
    }
    template <class T>
    void count(const Image& image);

    int columns_;
    int channels_;
    double strip_pixels_;
    std::vector<std::uint32_t> counts_;
};

/// The picture of it, black at the bottom: red, green, blue and alpha of each place, row after row from the top.
/// Places that many pixels share are brighter.
std::vector<std::uint8_t> picture_of(const Waveform& waveform);

} // namespace glproc::view
