// ImageMagick's flags that look at the neighbours of each pixel.
#pragma once

#include "cli/words/magick_flags.hpp"

#include <optional>
#include <string>

namespace glproc::cli {

/// Each is a MagickFlag::convert.
std::optional<std::string> blur_of(const std::string& value, MagickState& state);
std::optional<std::string> sharpen_of(const std::string& value, MagickState& state);
std::optional<std::string> unsharp_of(const std::string& value, MagickState& state);
std::optional<std::string> median_of(const std::string& value, MagickState& state);
std::optional<std::string> statistic_of(const std::string& value, MagickState& state);
std::optional<std::string> noise_of(const std::string& value, MagickState& state);
std::optional<std::string> add_noise_of(const std::string& value, MagickState& state);
std::optional<std::string> edge_of(const std::string& value, MagickState& state);
std::optional<std::string> canny_of(const std::string& value, MagickState& state);
std::optional<std::string> local_threshold_of(const std::string& value, MagickState& state);
std::optional<std::string> convolve_of(const std::string& value, MagickState& state);
std::optional<std::string> morphology_of(const std::string& value, MagickState& state);

} // namespace glproc::cli
