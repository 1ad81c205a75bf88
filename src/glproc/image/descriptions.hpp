// What files say of their own pixels in words: descriptions by programs, and sizes in XMP. Where pixels change, these become
// true of the new ones, or are left out.
#pragma once

#include "glproc/image/image.hpp"

#include <string>
#include <vector>

namespace glproc {

/// The image that metadata came with, and the one that they go with.
struct PixelChange {
    Form before = {};
    Form after = {};
    bool moves = false;     ///< whether pixels lie elsewhere than before
    bool is_series = false; ///< whether all images of a file go to one file
};

/// Whether its density is the size of pixels in the world, in a unit that ImageJ has told.
bool is_measured(const Metadata& metadata);

/// Descriptions by tifffile (its shape), ImageJ and OME-XML; sizes and panoramas in XMP. Returns what was left
/// out, a clause each.
std::vector<std::string> fit_descriptions(Metadata& metadata, const PixelChange& change);

} // namespace glproc
