// What --help prints, and the tables of README.md: all of it derived from the descriptions of the commands.
#pragma once

#include "cli/commands.hpp"

#include <string>

namespace glproc::cli {

/// "glproc 0.1.0".
std::string version_text();

/// The commands and the global flags.
std::string overview(int columns);

/// One command: usage, places, flags with defaults, ranges and units, an example.
std::string command_help(const Command& command, int columns);

/// One table an operation, for README.md.
std::string operations_markdown();

} // namespace glproc::cli
