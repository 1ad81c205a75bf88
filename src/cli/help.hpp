// What --help prints, and the tables of README.md: all of it derived from the descriptions of the commands.
#pragma once

#include "cli/commands.hpp"

#include <cstddef>
#include <string>
#include <string_view>

namespace glproc::cli {

/// "glproc 0.1.0".
std::string version_text();

/// The commands and the global flags.
std::string overview(int columns);

/// One command: usage, places, flags with defaults, ranges and units, an example.
std::string command_help(const Command& command, int columns);

/// `text` in lines of at most `columns`; every line but the first is indented.
std::string wrapped(std::string_view text, std::size_t columns, std::size_t indent);

/// One table an operation, for README.md.
std::string operations_markdown();

} // namespace glproc::cli
