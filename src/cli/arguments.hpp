// argv as a command, its places and its flags.
#pragma once

#include "cli/commands.hpp"

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace glproc::cli {

/// An operation of a pipe, as it was typed.
struct PipeStep {
    std::vector<std::string> words; ///< its name first
    std::string origin = {};        ///< for messages: "recipe.txt:3: ", or nothing
};

struct Arguments {
    const Command* command = nullptr;         ///< null where none was given
    std::vector<std::string> places;          ///< in the order of Command::places; may be short of some
                                              ///< and have several where one may be many
    std::map<std::string, std::string> flags; ///< by name without dashes; the last of repeated ones
    std::map<std::string, std::size_t> times; ///< how often each was given
    std::vector<PipeStep> steps = {};         ///< of a pipe, without those of its recipe

    /// The flag that a field's value is given by. `bench` has flags of its own: there it is the name of the
    /// place.
    std::string flag_of(const FieldInfo& field) const {
        return command->measures && field.is_place ? field.value : field.name;
    }
    bool has(const std::string& flag) const { return flags.contains(flag); }
    const std::string& value(const std::string& flag) const { return flags.at(flag); }
    /// The format that --to names; nothing where it is not given, or is a parameter of the operation.
    std::optional<std::string> format() const;

    /// Of a command that works on files: what stands before OUT, where it has one.
    std::vector<std::string> inputs() const;
    /// OUT; empty where there is none.
    std::string output() const;
    /// Whether the last place is OUT. Where that may be left out, it is the second place, or a folder after more.
    bool has_output() const;

    /// The operation as it makes what OUT is to hold.
    const OpInfo& op() const;
};

/// `words` is argv without the program. Throws Error(usage) for what is unknown, too much, or lacks its
/// value; what is missing is found by require_places() and the command itself, so that --help needs nothing
/// else.
Arguments parse_arguments(const std::vector<std::string>& words);

/// The same of a command out of these; there are no pipes among them.
Arguments parse_arguments(const std::vector<std::string>& words, const std::vector<Command>& among);

/// Whether a path is a folder, or is meant as one: it ends in a slash.
bool names_folder(const std::string& path);

/// The command of this name or alias, or one of its own commands: {"bench", "scan"}. Throws Error(usage),
/// with the nearest one.
const Command& require_command(const std::vector<std::string>& words);

/// Throws Error(usage) where a required place is empty.
void require_places(const Arguments& arguments);

} // namespace glproc::cli
