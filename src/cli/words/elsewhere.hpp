// Words that other tools know, and words that other commands know, as calls of this one.
#pragma once

#include "cli/commands.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace glproc::cli {

struct ForeignWord;

/// The call that one of these words stands for, with the files and the value of the user's own call; nothing where the word is not
/// among them.
std::optional<std::string> call_for(const std::vector<ForeignWord>& among, std::string_view word, const std::vector<std::string>& words);

/// What a flag that this command lacks is elsewhere, as a hint; empty where nobody knows it. The command may be null. A word that
/// begins the name of a flag is that flag, unless it has a meaning for this very command.
std::string known_elsewhere(const std::string& bare, const Command* command, const std::vector<std::string>& words, bool begins_a_name);

} // namespace glproc::cli
