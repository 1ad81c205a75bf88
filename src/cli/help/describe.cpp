#include "cli/help/describe.hpp"

#include "cli/arguments.hpp"
#include "cli/help/complete.hpp"
#include "cli/help/manual.hpp"
#include "cli/help/reference.hpp"
#include "cli/words/thesaurus.hpp"

namespace glproc::cli {

namespace {

std::string command_names() {
    std::string names;
    for (const Command& command : commands()) {
        names += command.name + "\n";
    }
    return names;
}

} // namespace

std::optional<std::string> described(const std::vector<std::string>& words) {
    if (words == std::vector<std::string>{"--describe", "reference"}) {
        return reference_markdown();
    }
    if (words == std::vector<std::string>{"--describe", "manual"}) {
        return manual_page();
    }
    if (words.size() == 3 && words[0] == "--describe" && words[1] == "manual") {
        return manual_page(require_command({words[2]}));
    }
    if (words == std::vector<std::string>{"--describe", "commands"}) {
        return command_names();
    }
    if (words == std::vector<std::string>{"--describe", "words"}) {
        return known_words();
    }
    if (words.size() > 1 && words.front() == "--complete") {
        return completions({words.begin() + 1, words.end()});
    }
    return std::nullopt;
}

} // namespace glproc::cli
