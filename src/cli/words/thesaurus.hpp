// The words of other tools, and what they are called here.
#pragma once

#include "cli/commands.hpp"
#include "glproc/base/shell_word.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace glproc::cli {

/// A flag of other tools that means the same as one of ours.
struct FlagSynonym {
    std::string_view said;
    std::string_view meant;
};

/// Accepted wherever a command has the flag that is meant and none of that name.
const std::vector<FlagSynonym>& flag_synonyms();

/// A word of other tools, and a call here that does what it is for: arguments, with IN and OUT for the files,
/// or INS for several inputs, and in braces what stands where the flag has no size. A flag may be that of one
/// command: "montage --geometry".
struct ForeignWord {
    std::string_view word;
    std::string call;
};

/// What OtherName::word is.
enum class WordKind { command, flag, magick_flag };
WordKind kind_of(std::string_view word);

/// Commands of other tools that are no command here: each takes parameters of its own, so it is named, not
/// run.
const std::vector<ForeignWord>& foreign_commands();

/// Flags of other tools that are none here.
const std::vector<ForeignWord>& foreign_flags();

/// All of them, one a line: the word, a tab, and what it is here.
std::string known_words();

/// "glproc CALL" with the user's own files, as far as there are any, and with the value of the foreign flag in place of "{800}".
std::string call_with(std::string_view call, const std::vector<std::string>& files, std::string_view value = {});

/// As find_flag(), and by the synonyms of the flag that other tools have.
const Flag* find_any_flag(const std::vector<Flag>& flags, std::string_view word);

} // namespace glproc::cli
