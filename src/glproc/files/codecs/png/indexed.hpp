// PNG with a palette, or with 1 to 8 bits of grey where these hold all colours.
#pragma once

#include "glproc/files/codecs/png/layout.hpp"

namespace glproc::codecs {

/// What stands in a PNG before its pixels.
struct PngHeader {
    int width = 0;
    unsigned bits = 8; ///< of a sample
    PngColour colour = PngColour::grey;
    std::vector<std::byte> colours{}; ///< the chunks PLTE and tRNS
};

struct PngIndexed {
    PngHeader header;
    Image rows; ///< each as it is stored, several pixels to a byte
};

/// The picture in at most so many colours as the job's options say: its own where there are no more, otherwise
/// the nearest, dithered. Pixels that cannot be seen get one colour. Throws Error(usage) unless it has 8 bits.
PngIndexed indexed_png(const Job& job);

} // namespace glproc::codecs
