// --volume: the images of a file as planes of volumes.
#pragma once

#include "cli/arguments.hpp"
#include "job/picture/volume_asked.hpp"

#include <optional>
#include <string>
#include <vector>

namespace glproc::cli {

/// Empty for operations that do not work on volumes.
std::vector<Flag> volume_flags(const OpInfo& op);

/// Nothing without --volume. Throws Error(usage).
std::optional<VolumeAsked> volume_asked(const Arguments& arguments);

/// What the field is set to: with --volume its value may have a third number, which is left out here. Throws
/// Error(usage) for two numbers in a volume, where it would not be told which the third is.
std::string value_in_image(const Arguments& arguments, const FieldInfo& field, const std::string& value);

} // namespace glproc::cli
