// What EXIF says that concerns the picture: which way up it is, and its resolution.
#pragma once

#include "glproc/image/metadata.hpp"

namespace glproc {

/// Whether it says that the colours are those of Adobe RGB (1998), by the index R03 of DCF.
bool says_adobe_rgb(const std::vector<std::byte>& exif);

/// Whether it holds a small version of the image, as cameras write one. No file that is written here does.
bool has_small_picture(const std::vector<std::byte>& exif);

/// What EXIF says in its first directory.
std::optional<Density> density_of(const std::vector<std::byte>& exif);

/// The EXIF to write if the format has its own field for the density. A resolution in EXIF is changed to the
/// image's density; everything else is kept byte for byte.
std::vector<std::byte> exif_that_agrees(const Metadata& metadata);

/// The same for formats where EXIF is the only place: the density is added, in a new block if need be.
std::vector<std::byte> exif_with_density(const Metadata& metadata);

/// To be called when other pixels take the place of those that EXIF was written for: it loses its small picture of them,
/// and the sizes that it states become these.
void fit_exif(std::vector<std::byte>& exif, int width, int height);

/// Where EXIF has an orientation, it becomes upright.
void reset_exif_orientation(std::vector<std::byte>& exif);

} // namespace glproc
