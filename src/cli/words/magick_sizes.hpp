// ImageMagick's flags that say how large an image becomes, and where its pixels go.
#pragma once

#include "cli/words/magick_flags.hpp"

#include <optional>
#include <string>

namespace glproc::cli {

/// Each is a MagickFlag::convert.
std::optional<std::string> crop_of(const std::string& value, MagickState& state);
std::optional<std::string> extent_of(const std::string& value, MagickState& state);
std::optional<std::string> border_of(const std::string& value, MagickState& state);
std::optional<std::string> frame_of(const std::string& value, MagickState& state);
std::optional<std::string> shave_of(const std::string& value, MagickState& state);
std::optional<std::string> chop_of(const std::string& value, MagickState& state);
std::optional<std::string> splice_of(const std::string& value, MagickState& state);
std::optional<std::string> roll_of(const std::string& value, MagickState& state);
std::optional<std::string> rotate_of(const std::string& value, MagickState& state);
std::optional<std::string> transpose_of(const std::string& value, MagickState& state);
std::optional<std::string> transverse_of(const std::string& value, MagickState& state);

std::optional<std::string> distort_of(const std::string& value, MagickState& state);

} // namespace glproc::cli
