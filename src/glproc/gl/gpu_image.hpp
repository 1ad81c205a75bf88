// An image in GPU memory.
#pragma once

#include "glproc/base/covering.hpp"
#include "glproc/gl/texture.hpp"
#include "glproc/image/image.hpp"

namespace glproc {

/// Channels as they lie in memory: 1, 2 or 4.
constexpr int stored_channels(int channels) {
    return channels == 3 ? 4 : channels;
}

/// Pixels packed into the 16-byte texels of an rgba32ui texture, so that an image unit moves full vectors
/// whatever the depth. A texel holds 4 RGBA8 pixels, 16 grey8 pixels or one float RGBA pixel. Measured on an
/// H200 (driver 580.159, 2026-11-20) this copies 3681 GB/s, against 2203 GB/s for one RGBA8 pixel per texel;
/// llvmpipe becomes three times as fast. Rows start on a texel. RGB is stored as RGBA with an opaque, ignored
/// fourth channel. The bytes of a row beyond the last pixel have no meaning and may hold anything.
class GpuImage {
  public:
    GpuImage(Texture texture, const Form& form) : texture_(std::move(texture)), form_(form) {}

    const Form& form() const { return form_; }
    int width() const { return form_.width; }
    int height() const { return form_.height; }
    int channels() const { return form_.channels; }
    Depth depth() const { return form_.depth; }
    bool has_alpha() const { return form_.has_alpha(); }
    int stored_channels() const { return glproc::stored_channels(form_.channels); }

    const Texture& texture() const { return texture_; }
    Texture& texture() { return texture_; }

  private:
    Texture texture_;
    Form form_;
};

/// Pixels in one 16-byte texel.
constexpr int pixels_per_texel(int stored_channels, Depth depth) {
    return 16 / (stored_channels * static_cast<int>(bytes_of(depth)));
}

/// Texels in a row of `width` pixels; the last one may be partly used.
constexpr int texels_per_row(int width, int stored_channels, Depth depth) {
    const int pixels = pixels_per_texel(stored_channels, depth);
    return covering(width, pixels);
}

inline int pixels_per_texel(const Form& form) {
    return pixels_per_texel(stored_channels(form.channels), form.depth);
}
inline int texels_per_row(const Form& form) {
    return texels_per_row(form.width, stored_channels(form.channels), form.depth);
}

} // namespace glproc
