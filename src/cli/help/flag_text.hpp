// Words about flags and commands that help, the manual and the reference share.
#pragma once

#include "cli/commands.hpp"

#include <string>
#include <utility>
#include <vector>

namespace glproc::cli {

/// "The device." of "the device".
std::string sentence(std::string text);

/// "--device auto|N|NAME", "--timing[=text|json]".
std::string spelling(const Flag& flag);

/// With the short form, where there is one: "-n, --no-clobber".
std::string spelling_with_letter(const Flag& flag);

/// "0 to 1000 pixels", or nothing where the spelling says it all.
std::string range_text(const FieldInfo& info);

/// Its help, what a value may be, and in brackets what it is without the flag.
std::string meaning(const Flag& flag);

/// "glproc COMMAND IN OUT --needed VALUE [flags]".
std::string usage_line(const Command& command);

/// "equalize, equalise": the name and its aliases.
std::string names_of(const Command& command);

/// What belongs to the command alone.
std::vector<Flag> own_flags(const Command& command);

/// A heading, and the flags under it.
using FlagGroup = std::pair<std::string, std::vector<Flag>>;

/// What belongs to the command alone, by what people do with it: its purpose first, its speed last.
std::vector<FlagGroup> task_groups(const Command& command);

/// The shared flags that the command takes, the global ones last.
std::vector<FlagGroup> shared_flags(const Command& command);

/// Each shared flag once, whichever commands take it; the global ones last.
std::vector<FlagGroup> shared_flags_of_all();

} // namespace glproc::cli
