// The man page glproc(1), derived from the descriptions of the commands.
#pragma once

#include <string>

namespace glproc::cli {

/// In the macros of man(7).
std::string manual_page();

} // namespace glproc::cli
