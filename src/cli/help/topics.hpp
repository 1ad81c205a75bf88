// What people ask that is no name of a command or a flag, and where the answer is.
#pragma once

#include <string_view>
#include <vector>

namespace glproc::cli {

struct Topic {
    std::string_view words;  ///< by which it is found, separated by blanks
    std::string_view where;  ///< what to type, or the page to read
    std::string_view answer; ///< a sentence without a full stop
};

const std::vector<Topic>& topics();

} // namespace glproc::cli
