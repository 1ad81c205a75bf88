// One image to several files: a grey image of each channel.
#pragma once

#include "cli/arguments.hpp"
#include "cli/settings.hpp"

namespace glproc::cli {

inline constexpr const char* split_command = "split";
inline constexpr const char* undoes_split = "merge"; ///< the operation that does the reverse

Command describe_split();

/// No file appears before all channels are there. Throws Error.
int split_channels(const Arguments& arguments, const Settings& settings);

} // namespace glproc::cli
