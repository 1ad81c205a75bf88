// All commands and their flags as a page, derived from the descriptions of the commands.
#pragma once

#include <string>

namespace glproc::cli {

/// Every command with its flags, the flags that commands share, what the values of flags mean, exit statuses
/// and environment variables.
std::string reference_markdown();

} // namespace glproc::cli
