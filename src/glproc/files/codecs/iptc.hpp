// Captions of IPTC: the records of the Information Interchange Model, which JPEG, TIFF, PNG and PSD hold each
// in a way of its own. https://www.iptc.org/std/IIM/4.2/specification/IIMV4.2.pdf, section 1.6
#pragma once

#include "glproc/files/codecs/big_endian.hpp"

#include <cstddef>
#include <string_view>
#include <vector>

namespace glproc::codecs {

inline constexpr std::string_view photoshop_name{"Photoshop 3.0\0", 14}; ///< of JPEG's segment
inline constexpr std::size_t iptc_resource = 0x0404;                     ///< among Photoshop's

/// The records in what a file holds: by themselves, as numbers of 32 bits that were turned round with the
/// byte order, or as one of Photoshop's resources. Empty where there are none.
std::vector<std::byte> iptc_in(ByteView bytes);

/// As Photoshop's only resource.
std::vector<std::byte> photoshop_resource_of(ByteView iptc);

} // namespace glproc::codecs
