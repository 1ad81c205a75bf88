// ImageMagick's flags that lay something on an image: another one, text, figures.
#pragma once

#include "cli/words/magick_flags.hpp"

#include <optional>
#include <string>

namespace glproc::cli {

/// Each is a MagickFlag::convert.
std::optional<std::string> compose_of(const std::string& value, MagickState& state);
std::optional<std::string> annotate_of(const std::string& value, MagickState& state);
std::optional<std::string> draw_of(const std::string& value, MagickState& state);

/// The call of blend for -composite with this file on top, by what flags before it say; nothing where nothing
/// here is the same.
std::optional<std::string> blend_of(const std::string& file, const MagickState& state);

} // namespace glproc::cli
