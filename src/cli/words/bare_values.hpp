// Words after the files that are no files: the value of a parameter, or a slip.
#pragma once

#include "cli/arguments.hpp"

#include <string>
#include <vector>

namespace glproc::cli {

/// Gives the fields whose value may stand bare what stands after the files. `words` is the whole call. Throws
/// Error(usage) for a value that is given twice, and for a last word that is no folder but looks like a
/// value: with what was meant.
void take_bare_values(Arguments& arguments, const std::vector<std::string>& words);

} // namespace glproc::cli
