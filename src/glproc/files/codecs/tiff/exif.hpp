// EXIF among the tags of a TIFF file, and as the structure of its own that other formats carry. The structure
// is a small TIFF file; in both, one directory points to others.
#pragma once

#include "glproc/files/codecs/codecs.hpp"

#include <string>
#include <utility>
#include <vector>

namespace glproc::codecs {

/// What the directory of a TIFF file's first picture holds beside the picture; empty where there is none.
struct TiffBlocks {
    std::vector<std::byte> exif{}; ///< without orientation and resolution, which are the picture's own
    std::vector<std::byte> iptc{}; ///< records
};
TiffBlocks read_tiff_blocks(const Source& source);

/// EXIF as it is to stand in a TIFF file.
struct TiffExif {
    std::vector<std::byte> bytes; ///< to stand at the offset that was named
    std::uint64_t exif = 0;       ///< where a directory of these begins in the file; 0: none
    std::uint64_t gps = 0;        ///< likewise
    std::vector<std::pair<std::uint32_t, std::string>> texts; ///< tags of the picture's own directory
};

/// `offset` is even; a file of more than 4 GiB is `big`.
TiffExif place_exif(const std::vector<std::byte>& exif, std::uint64_t offset, bool big);

} // namespace glproc::codecs
