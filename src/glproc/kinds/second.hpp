// A second image for point operations: it lies on the image, and each pixel meets the one that lies on it.
#pragma once

#include "glproc/gl/context.hpp"
#include "glproc/op/tiles.hpp"

#include <memory>

namespace glproc {

/// An image that lies on another one. Whatever lies beyond the other's edges is left out.
struct SecondImage {
    std::shared_ptr<const Image> image;
    Int2 at{0, 0};        ///< where its first pixel lies on the other image
    bool repeats = false; ///< in all directions, so that it covers the other image
};

/// The part of it that lies on a part of the other image, on the GPU.
struct SecondPart {
    const GpuImage& image;
    Int2 first;   ///< where `image` begins on the other image: at a unit of kinds/point.comp
    Rect covered; ///< on the other image; it may be empty
};

/// The returned image lives until the next call, or as long as the context. It is uploaded again only if
/// another one was asked for since.
SecondPart second_part(Context& gpu, const SecondImage& second, const Rect& part);

} // namespace glproc
