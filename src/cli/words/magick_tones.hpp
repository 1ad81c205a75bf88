// ImageMagick's flags that change the values of pixels, each by itself.
#pragma once

#include "cli/words/magick_flags.hpp"

#include <optional>
#include <string>

namespace glproc::cli {

/// Each is a MagickFlag::convert.
std::optional<std::string> levels_of(const std::string& value, MagickState& state);
std::optional<std::string> level_colours_of(const std::string& value, MagickState& state);
std::optional<std::string> gamma_of(const std::string& value, MagickState& state);
std::optional<std::string> stretch_of(const std::string& value, MagickState& state);
std::optional<std::string> normalize_of(const std::string& value, MagickState& state);
std::optional<std::string> auto_level_of(const std::string& value, MagickState& state);
std::optional<std::string> modulate_of(const std::string& value, MagickState& state);
std::optional<std::string> brightness_contrast_of(const std::string& value, MagickState& state);
std::optional<std::string> sigmoidal_of(const std::string& value, MagickState& state);
std::optional<std::string> evaluate_of(const std::string& value, MagickState& state);
std::optional<std::string> posterize_of(const std::string& value, MagickState& state);
std::optional<std::string> solarize_of(const std::string& value, MagickState& state);
std::optional<std::string> colorize_of(const std::string& value, MagickState& state);
std::optional<std::string> matrix_of(const std::string& value, MagickState& state);
std::optional<std::string> threshold_of(const std::string& value, MagickState& state);
std::optional<std::string> auto_threshold_of(const std::string& value, MagickState& state);

} // namespace glproc::cli
