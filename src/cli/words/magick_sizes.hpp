// ImageMagick's flags that say how large an image becomes.
#pragma once

#include "cli/words/magick_flags.hpp"

#include <optional>
#include <string>

namespace glproc::cli {

/// Each is a MagickFlag::convert.
std::optional<std::string> crop_of(const std::string& value, MagickState& state);
std::optional<std::string> extent_of(const std::string& value, MagickState& state);
std::optional<std::string> resize_of(const std::string& value, MagickState& state);
std::optional<std::string> adaptive_resize_of(const std::string& value, MagickState& state);
std::optional<std::string> sample_of(const std::string& value, MagickState& state);

} // namespace glproc::cli
