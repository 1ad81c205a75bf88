// CMYK as RGB, by the ICC profile that comes with it.
#pragma once

#include "glproc/files/codecs/codecs.hpp"
#include "glproc/files/modules/colour.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>

namespace glproc::codecs {

/// What inks look like, by a profile of them. Threads may share it.
class InkColours {
  public:
    /// Takes the profile out of `metadata`, since it says nothing about the RGB, and notes what becomes of
    /// it. Null where there is no profile of CMYK, or nothing to read it with: a plain formula is then to be
    /// used.
    static std::shared_ptr<const InkColours> of(const Source& source, Metadata& metadata);

    explicit InkColours(std::unique_ptr<modules::InkConversion> conversion)
        : conversion_(std::move(conversion)) {}

    /// Four inks a pixel, the most at 255 or 65535, to the codes of sRGB, on all cores: best of many pixels
    /// at once.
    void convert(std::span<const std::uint8_t> inks, std::uint8_t* rgb) const;
    void convert(std::span<const std::uint16_t> inks, std::uint16_t* rgb) const;

  private:
    std::unique_ptr<modules::InkConversion> conversion_;
};

} // namespace glproc::codecs
