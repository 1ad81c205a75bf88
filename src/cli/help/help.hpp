// What --help prints: all of it derived from the descriptions of the commands.
#pragma once

#include "cli/commands.hpp"
#include "glproc/op/field.hpp"

#include <array>
#include <cstddef>
#include <string>
#include <string_view>

namespace glproc {

namespace cli {

enum class HelpDetail { brief, all };

/// "glproc 0.2.0".
std::string version_text();

/// The commands; with `all` the global flags, too.
std::string overview(int columns, HelpDetail detail);

/// One command: usage, places, its own flags with defaults, ranges and units, an example. With `all` the
/// shared flags as well, and what the values of each flag mean.
std::string command_help(const Command& command, int columns, HelpDetail detail);

/// `text` in lines of at most `columns`; every line but the first is indented.
std::string wrapped(std::string_view text, std::size_t columns, std::size_t indent);

} // namespace cli

template <>
inline constexpr std::array<EnumRow<cli::HelpDetail>, 2> enum_rows<cli::HelpDetail>{{
    {cli::HelpDetail::brief, "brief", "what belongs to the command, on one screen"},
    {cli::HelpDetail::all, "all", "every flag and what its values mean"},
}};

} // namespace glproc
