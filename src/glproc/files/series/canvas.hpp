// The canvas of an animation, on which its frames are put.
#pragma once

#include "glproc/files/series/parts.hpp"

namespace glproc::codecs {

class Canvas {
  public:
    /// Transparent; colour or grey, with alpha.
    Canvas(const Extent& size, int channels, Depth depth)
        : image_(size.width, size.height, channels, depth) {}

    /// Puts a frame where it belongs, after the disposal of the frame before it. Parts beyond the canvas are
    /// left out.
    void put(const FramePart& part, const Image& frame);

    /// As it is seen now, without the alpha channel unless that is wanted.
    Image seen(bool with_alpha) const;
    bool is_opaque() const;

    /// Does at once what put() of the next frame begins with, so that less is held until then.
    void dispose();

  private:
    FramePlace clipped(const FramePlace& place) const;

    Image image_;
    std::optional<FramePart> last_;
    std::vector<std::byte> kept_; ///< the pixels below the last frame, where they come back
};

} // namespace glproc::codecs
