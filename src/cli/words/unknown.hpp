// What is said of a word that is no command and no flag.
#pragma once

#include "cli/commands.hpp"
#include "glproc/base/error.hpp"

#include <string>
#include <vector>

namespace glproc::cli {

/// `words` is the whole call, whose files the hint names. Error(usage).
Error unknown_command(const std::string& word, const std::vector<std::string>& words);

/// Of `word`, as it was typed, in a call of `command` (none where it is null). Error(usage).
Error unknown_flag(const std::string& word, const Command* command, const std::vector<std::string>& words);

/// Of `word` in a place for one of these operations, which the hint lists. Error(usage).
Error unknown_operation(const std::string& word, const std::vector<std::string>& among);

/// " (did you mean 'x'?)" with `prefix` before the nearest candidate, or nothing.
std::string suggestion(const std::string& word, const std::string& prefix,
                       const std::vector<std::string>& candidates);

/// The words and aliases of commands.
std::vector<std::string> words_of(const std::vector<Command>& among);

/// Throws unknown_flag() for the first word with one dash that is no run of short flags: a parser would take
/// its first letter for one.
void refuse_long_words(const std::vector<std::string>& words, const Command* command);

} // namespace glproc::cli
