// Calls that help shows: less obvious than the one that hints name.
#pragma once

#include "cli/commands.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace glproc::cli {

struct Example {
    std::string_view command; ///< that it belongs to, "blur"
    std::string_view what;    ///< what it does, without a full stop
    std::string_view
        call; ///< as it is typed, with photo.jpg, icon.png and the folder photos/ for the user's files
};

/// All of them; those of a command stand together, the one for --help first.
const std::vector<Example>& all_examples();

/// Those of a command. One that has none has its typical call instead.
struct ShownExample {
    std::string what;
    std::string call;
};
std::vector<ShownExample> examples_of(const Command& command);

} // namespace glproc::cli
