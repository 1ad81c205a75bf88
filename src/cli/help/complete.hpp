// What may follow on a command line that is being typed, derived from the descriptions of the commands.
#pragma once

#include <string>
#include <vector>

namespace glproc::cli {

/// `words` are those after "glproc" up to the cursor; the last one is being typed and may be empty. A line a
/// candidate, with a tab and a sentence after it where there is one; ":files" where a file name is wanted;
/// nothing where the word is free, a number for example.
std::string completions(const std::vector<std::string>& words);

} // namespace glproc::cli
