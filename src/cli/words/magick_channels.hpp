// ImageMagick's flags about channels and colour spaces.
#pragma once

#include "cli/words/magick_flags.hpp"

#include <optional>
#include <string>

namespace glproc::cli {

/// Each is a MagickFlag::convert.
std::optional<std::string> colorspace_of(const std::string& value, MagickState& state);
std::optional<std::string> type_of(const std::string& value, MagickState& state);
std::optional<std::string> channel_of(const std::string& value, MagickState& state);
std::optional<std::string> separate_of(const std::string& value, MagickState& state);
std::optional<std::string> alpha_of(const std::string& value, MagickState& state);
std::optional<std::string> flatten_of(const std::string& value, MagickState& state);

} // namespace glproc::cli
