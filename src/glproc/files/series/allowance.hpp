// How many pixels all pictures of one file may be made of.
#pragma once

#include "glproc/files/codecs/codecs.hpp"

#include <cstdint>

namespace glproc::codecs {

/// A few bytes can stand for many frames on a large canvas, or for many pages that share their pixels. Each of them is work,
/// whatever is read for it, so what counts is what is made.
class PixelAllowance {
  public:
    static constexpr double paid_pixels = 65536; ///< a byte: small frames on large canvases exist

    explicit PixelAllowance(const Source& source);

    /// For `count` pictures of that size. Throws Error(input) where they are more than is left.
    void take(std::uint64_t width, std::uint64_t height, int count);

  private:
    const Source& source_;
    double most_;
    double taken_ = 0;
    int pictures_ = 0;
};

} // namespace glproc::codecs
