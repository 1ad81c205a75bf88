// What a picture file contains besides its pixels, and which way up the pixels are.
#pragma once

#include <cstddef>
#include <vector>

namespace glproc {

class Image;

/// Blocks that are copied from file to file byte for byte. An empty one is absent.
struct Metadata {
    std::vector<std::byte> icc{};  ///< an ICC profile
    std::vector<std::byte> exif{}; ///< a TIFF structure, without the "Exif" that JPEG puts before it
    std::vector<std::byte> xmp{};  ///< a packet of XML

    bool empty() const { return icc.empty() && exif.empty() && xmp.empty(); }
};

/// How stored rows and columns lie in the picture, 1 to 8 as EXIF and TIFF number it: 1 upright, 3 upside
/// down, 6 and 8 turned by a quarter, even numbers below 5 and odd ones above mirrored. 1 where `exif` does
/// not say or cannot be read.
int orientation_of(const std::vector<std::byte>& exif);

/// Resets the orientation in EXIF and XMP, where they have one, to upright.
void reset_orientation(Metadata& metadata);

/// The picture turned upright; the metadata is unchanged.
Image upright(Image image, int orientation);

} // namespace glproc
