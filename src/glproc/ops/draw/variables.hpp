// Names in texts that stand for facts of the picture.
#pragma once

#include "glproc/op/picture_facts.hpp"

#include <string>
#include <string_view>

namespace glproc {

/// Whether a text has such names.
bool has_variables(std::string_view text);

/// `text` with values for {name}, {stem}, {date} and {exif:KEY}; {{ is a brace, \n a new line. What EXIF does
/// not say is empty. Throws Error(usage) for other names, and where the picture has no file.
std::string with_values(std::string_view text, const PictureFacts& facts);

} // namespace glproc
