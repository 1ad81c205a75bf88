// Parts of pictures in CPU memory.
#pragma once

#include "glproc/op/tiles.hpp"

#include <cstring>

namespace glproc::test {

/// The pixels of a rectangle within the image.
inline Image cut(const Image& image, const Rect& rect) {
    Image part(rect.width, rect.height, image.channels(), image.depth());
    for (int y = 0; y < rect.height; ++y) {
        std::memcpy(part.row(y),
                    image.row(rect.y + y) + static_cast<std::size_t>(rect.x) * image.pixel_bytes(),
                    part.row_bytes());
    }
    return part;
}

} // namespace glproc::test
