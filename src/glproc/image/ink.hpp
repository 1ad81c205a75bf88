// Antialiased lines, and text made of them: what axes and labels are drawn with.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace glproc {

/// Pixels from the top left corner; the centre of the first pixel is at (0.5, 0.5).
struct Position {
    double x = 0;
    double y = 0;
};

/// The height of capitals, as a part of the size of a text.
inline constexpr double capital_height = 0.72;

/// How much ink lies on each pixel, 0 to 255.
class Ink {
  public:
    Ink(int width, int height);

    /// A line with round ends. Lines over each other do not get darker.
    void line(Position from, Position to, double width);

    /// ASCII from `at`, the left end of its baseline; `size` is the font size in pixels.
    void text(std::string_view text, Position at, double size);

    std::uint8_t at(int x, int y) const { return ink_[index(x, y)]; }

  private:
    std::size_t index(int x, int y) const {
        return static_cast<std::size_t>(y) * static_cast<std::size_t>(width_) + static_cast<std::size_t>(x);
    }

    int width_;
    int height_;
    std::vector<std::uint8_t> ink_;
};

/// Of text at this size, in pixels.
double text_width(std::string_view text, double size);

} // namespace glproc
