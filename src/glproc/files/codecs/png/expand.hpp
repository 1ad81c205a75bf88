// Rows of a PNG file as pixels: palettes, 1 to 4 bits, the colour that is transparent, and the order of
// bytes.
#pragma once

#include "glproc/files/codecs/png/layout.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace glproc::codecs {

class PngExpander {
  public:
    explicit PngExpander(const PngLayout& layout);

    /// `row` is as it is stored, its filter undone; `out` takes so many pixels. False where a palette has no
    /// such entry.
    bool expand(std::span<const std::uint8_t> row, std::span<std::byte> out) const;

  private:
    bool look_up(const std::uint8_t* row, std::span<std::byte> out) const;
    void spread(const std::uint8_t* row, std::span<std::byte> out) const;
    template <class Value>
    void add_alpha(const std::uint8_t* row, std::span<std::byte> out) const;

    unsigned bits_;
    std::size_t samples_;
    bool palette_;
    bool whole_; ///< rows are pixels but for the order of their bytes
    std::size_t entries_ = 0;
    std::size_t entry_bytes_ = 3;
    std::array<std::array<std::byte, 4>, 256> colours_{};
    std::array<unsigned, 3> transparent_{};
    bool has_transparent_ = false;
};

} // namespace glproc::codecs
