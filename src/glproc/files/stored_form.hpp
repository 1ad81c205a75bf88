// How a file stores its pixels, where that is not how decode() gives them.
#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace glproc {

struct StoredForm {
    std::string colours =
        {}; ///< "CMYK", "palette of 4 bits", "1-bit grey"; empty where decode() gives the same
    std::string compression = {}; ///< "LZW", "progressive"; empty where the format has but one way
    std::string sampling = {};    ///< of a JPEG's colour: "420", "no colour"
};

/// By the first bytes of a PNG, JPEG, TIFF, BMP, PNM, PSD or GIF; empty for others, and where those bytes do
/// not tell.
StoredForm stored_form(std::span<const std::byte> head);

} // namespace glproc
