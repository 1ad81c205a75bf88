// What a format of files takes without loss although it does not hold it as it is.
#pragma once

#include "glproc/image/image.hpp"

#include <optional>
#include <string>

namespace glproc::job {

/// Whether a file of that format, or of that name, holds it.
bool is_encodable(const std::string& format, const Form& form);

/// Whether grey becomes three equal channels: a format that has colours alone takes it so. Of one depth,
/// where one is wanted.
bool takes_as_colour(const std::string& format, int channels, std::optional<Depth> depth = std::nullopt);

/// Whether codes become floats: a format that has floats alone takes all of them.
bool takes_as_floats(const std::string& format, const Form& form);

/// The depth of codes for floats that are a mask: it has two values, which codes hold, too. Nothing where the
/// format holds floats, or neither.
std::optional<Depth> codes_of_mask(const std::string& format, const Form& form);

} // namespace glproc::job
