// ImageMagick's flags about the file that is written, in terms of its format.
#pragma once

#include "cli/words/magick_flags.hpp"

#include <optional>
#include <string>

namespace glproc::cli {

/// Each is a MagickFlag::convert. What ImageMagick ignores in a format is nothing here.
std::optional<std::string> quality_of(const std::string& value, MagickState& state);
std::optional<std::string> compression_of(const std::string& value, MagickState& state);
std::optional<std::string> interlace_of(const std::string& value, MagickState& state);
std::optional<std::string> depth_of(const std::string& value, MagickState& state);
std::optional<std::string> sampling_of(const std::string& value, MagickState& state);
std::optional<std::string> define_of(const std::string& value, MagickState& state);
std::optional<std::string> edges_of(const std::string& value, MagickState& state);
std::optional<std::string> file_format_of(const std::string& value, MagickState& state);
std::optional<std::string> colours_of(const std::string& value, MagickState& state);

} // namespace glproc::cli
