// What of a text may reach a terminal.
#pragma once

#include <string>
#include <string_view>

namespace glproc::cli {

/// The text with a question mark for everything that a terminal would obey instead of showing: control codes
/// but line ends and tabs, those of C1 too, and codes that turn the direction of writing. Bytes that are no
/// UTF-8 are replaced as well, as terminals with 8-bit controls take some of them for C1. A file name may
/// hold all of these.
std::string printable(std::string_view text);

/// The same of a name, which stays in its line.
std::string printable_name(std::string_view name);

} // namespace glproc::cli
