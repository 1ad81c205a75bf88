// What --help prints: all of it derived from the descriptions of the commands.
#pragma once

#include "cli/commands.hpp"
#include "glproc/op/field.hpp"

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace glproc {

namespace cli {

enum class HelpDetail { brief, all };

/// "glproc 0.3.0".
std::string version_text();

/// What somebody sees who types glproc alone: what it is, and where to go on.
std::string first_steps();

/// The commands by group; with `all` the global flags, too.
std::string overview(int columns, HelpDetail detail);

/// One command on a screen: what it does, usage, its flags by task, an example; the shared flags are
/// explained as far as there is room. With `all` every flag, and what its values mean.
std::string command_help(const Command& command, int columns, HelpDetail detail);

/// The calls that help shows of a command, the one for --help first. One that has none has its typical call
/// instead.
struct ShownExample {
    std::string what;
    std::string call;
};
std::vector<ShownExample> examples_of(const Command& command);

/// Every flag that commands share.
std::string flags_help(int columns);

} // namespace cli

template <>
inline constexpr std::array<EnumRow<cli::HelpDetail>, 2> enum_rows<cli::HelpDetail>{{
    {cli::HelpDetail::brief, "brief", "the flags of the command, on one screen"},
    {cli::HelpDetail::all, "all", "every flag, and what its values mean"},
}};

} // namespace glproc
