// ImageMagick's flags that make an image larger or smaller as a whole.
#pragma once

#include "cli/words/magick_flags.hpp"

#include <optional>
#include <string>

namespace glproc::cli {

/// Each is a MagickFlag::convert.
std::optional<std::string> resize_of(const std::string& value, MagickState& state);
std::optional<std::string> scale_of(const std::string& value, MagickState& state);
std::optional<std::string> sample_of(const std::string& value, MagickState& state);
std::optional<std::string> adaptive_resize_of(const std::string& value, MagickState& state);
std::optional<std::string> interpolative_resize_of(const std::string& value, MagickState& state);
std::optional<std::string> magnify_of(const std::string& value, MagickState& state);
std::optional<std::string> filter_of(const std::string& value, MagickState& state);

/// "-geometry 50%" makes an image smaller; "+5+3" is the place of the second image of -composite.
std::optional<std::string> geometry_of(const std::string& value, MagickState& state);

} // namespace glproc::cli
