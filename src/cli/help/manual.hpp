// The man pages glproc(1) and glproc-COMMAND(1), derived from the descriptions of the commands.
#pragma once

#include "cli/commands.hpp"

#include <string>

namespace glproc::cli {

/// glproc(1): the commands in a line each, and what they share. In the macros of man(7).
std::string manual_page();

/// glproc-COMMAND(1): one command, and every flag it takes.
std::string manual_page(const Command& command);

} // namespace glproc::cli
