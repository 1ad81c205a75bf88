#include "cli/help/help.hpp"

#include "cli/help/flag_text.hpp"
#include "cli/help/text_table.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace glproc::cli {

namespace {

/// What --help of a command may fill without --help=all.
constexpr std::ptrdiff_t screen_lines = 40;

TextTable table_of(int columns, HelpDetail detail) {
    return {static_cast<std::size_t>(columns), detail == HelpDetail::all ? 26U : 20U};
}

/// The groups with their headings, each flag explained.
std::string explained(const std::vector<FlagGroup>& groups, const TextTable& table, HelpDetail detail) {
    std::string text;
    for (const auto& [heading, flags] : groups) {
        text += fmt::format("\n{}:\n{}", heading,
                            detail == HelpDetail::all ? table.rows_with_values(flags) : table.rows(flags));
    }
    return text;
}

/// The flags by name alone, except those that every program has.
std::string listed(const std::vector<FlagGroup>& groups, const TextTable& table) {
    std::string text;
    for (const auto& [heading, flags] : groups) {
        std::string names;
        for (const Flag& flag : flags) {
            const bool known = flag.info.name == "help" || flag.info.name == "version";
            names += known ? "" : fmt::format("{}--{}", names.empty() ? "" : " ", flag.info.name);
        }
        text += table.row(heading, names);
    }
    return text;
}

/// Those that no flag explains: a field's value that may stand bare is explained with its flag.
std::string places_text(const Command& command, const TextTable& table) {
    std::string text;
    for (const PlacedArgument& place : command.places) {
        const bool is_flag = std::any_of(command.flags.begin(), command.flags.end(), [&](const Flag& flag) {
            return flag.info.is_place && flag.info.value == place.name;
        });
        text += is_flag ? "" : table.row(place.name, place.help);
    }
    return text.empty() ? text : "\n" + text;
}

/// Shared flags, what is written before what is read.
std::vector<FlagGroup> shared_in_order(const Command& command) {
    std::vector<FlagGroup> groups = shared_flags(command);
    const auto rank = [](const FlagGroup& group) {
        return group.first == global_group     ? 3
               : group.first == many_group     ? 1
               : group.first.ends_with("nput") ? 2
                                               : 0;
    };
    std::stable_sort(groups.begin(), groups.end(),
                     [&](const FlagGroup& a, const FlagGroup& b) { return rank(a) < rank(b); });
    return groups;
}

std::ptrdiff_t lines_in(const std::string& text) {
    return std::count(text.begin(), text.end(), '\n');
}

/// The flags that most calls need, before the others.
std::vector<Flag> everyday_first(std::vector<Flag> flags) {
    constexpr std::array<std::string_view, 6> everyday{"to",    "quality",    "depth",
                                                       "strip", "background", "max-size"};
    std::stable_sort(flags.begin(), flags.end(), [&](const Flag& a, const Flag& b) {
        return std::find(everyday.begin(), everyday.end(), a.info.name) <
               std::find(everyday.begin(), everyday.end(), b.info.name);
    });
    return flags;
}

/// The shared flags of a command, some explained and the others named.
struct SharedFlags {
    std::vector<FlagGroup> explained = {};
    std::vector<FlagGroup> named;

    std::string text(const Command& command, const TextTable& table) const {
        const std::string pointer =
            fmt::format("\nMore flags (glproc {} --help=all explains them):\n", command.name);
        return cli::explained(explained, table, HelpDetail::brief) + pointer + listed(named, table);
    }
};

/// With `group` explained as far as `count` flags of it.
SharedFlags with_explained(const SharedFlags& all, std::size_t group, std::size_t count) {
    SharedFlags result = all;
    std::vector<Flag>& flags = result.named[group].second;
    const auto end = flags.begin() + static_cast<std::ptrdiff_t>(count);
    result.explained.push_back({result.named[group].first, {flags.begin(), end}});
    flags.erase(flags.begin(), end);
    if (flags.empty()) {
        result.named.erase(result.named.begin() + static_cast<std::ptrdiff_t>(group));
    }
    return result;
}

/// Explains what fits on the screen: some flags of the first group, then whole groups. Those that every
/// command has are named only.
std::string shared_part(const Command& command, const TextTable& table, std::ptrdiff_t used) {
    SharedFlags shared{.named = shared_in_order(command)};
    const auto fits = [&](const SharedFlags& flags) {
        return used + lines_in(flags.text(command, table)) <= screen_lines;
    };
    for (std::size_t group = 0; group < shared.named.size();) {
        std::vector<Flag>& flags = shared.named[group].second;
        const std::size_t total = flags.size();
        const bool is_first = shared.explained.empty();
        flags = is_first ? everyday_first(flags) : flags;
        std::size_t count = shared.named[group].first == global_group ? 0 : total;
        while (count > 0 && !fits(with_explained(shared, group, count))) {
            count = is_first && count > 3 ? count - 1 : 0;
        }
        shared = count > 0 ? with_explained(shared, group, count) : shared;
        group += count == total ? 0 : 1;
    }
    return shared.text(command, table);
}

std::string other_names(const Command& command) {
    std::string names;
    const auto add = [&](const std::string& name) { names += (names.empty() ? "" : ", ") + name; };
    std::for_each(command.aliases.begin(), command.aliases.end(), add);
    for (const Shorthand& shorthand : command.shorthands) {
        std::string flags;
        for (const std::string& word : shorthand.flags) {
            flags += (flags.empty() ? "" : " ") + word;
        }
        add(fmt::format("{} ({})", shorthand.word, flags));
    }
    return names.empty() ? names : "Other names: " + names;
}

/// " (also sharpen)": the words of a command in the list of all.
std::string also_called(const Command& command) {
    std::vector<std::string> names = command.aliases;
    std::transform(command.shorthands.begin(), command.shorthands.end(), std::back_inserter(names),
                   [](const Shorthand& shorthand) { return shorthand.word; });
    return names.empty() ? "" : fmt::format("; also {}", fmt::join(names, ", "));
}

std::string usage_part(const Command& command, std::size_t width) {
    const std::string others = other_names(command);
    return fmt::format("{}\n\nUsage: {}\n{}", wrapped(sentence(command.summary), width, 0),
                       wrapped(usage_line(command), width - 7, 7),
                       others.empty() ? "" : wrapped(others, width, 2) + "\n");
}

std::string example_part(const Command& command, std::size_t width) {
    const ShownExample example = examples_of(command).front();
    return fmt::format("\nExample: {}:\n  {}\n", wrapped(example.what, width - 1, 9),
                       wrapped_call(example.call, width - 2, 6));
}

} // namespace

std::vector<ShownExample> examples_of(const Command& command) {
    std::vector<ShownExample> shown;
    for (const auto& [what, call] : command.examples) {
        shown.push_back({std::string(what), call.starts_with("glproc ")
                                                ? std::string(call)
                                                : fmt::format("glproc {} {}", command.name, call)});
    }
    if (shown.empty()) {
        shown.push_back({"Typical call", command.example_call()});
    }
    return shown;
}

std::string version_text() {
    return "glproc " GLPROC_VERSION;
}

std::string first_steps() {
    return fmt::format("{}: image processing on the GPU, with the same result on the CPU\n"
                       "Usage: glproc COMMAND INPUT... [OUTPUT] [flags]\n\n"
                       "  glproc resize photos small/ 800x   resize a folder of images to 800 pixels\n"
                       "  glproc help                        list the commands\n"
                       "  glproc help sharpen                search commands, flags and pages\n"
                       "  glproc resize --help               explain one command\n"
                       "  glproc info                        describe the GPU\n",
                       version_text());
}

std::string overview(int columns, HelpDetail detail) {
    const TextTable table = table_of(columns, HelpDetail::brief);
    const std::vector<FlagGroup> globals{{global_group, global_flags()}};
    std::string text = fmt::format("{}: image processing on the GPU, with the same result on the CPU\n\n"
                                   "Usage: glproc COMMAND INPUT... [OUTPUT] [flags]\n",
                                   version_text());
    std::string heading;
    for (const Command& command : commands()) {
        if (command.heading != heading) {
            heading = command.heading;
            text += fmt::format("\n{}:\n", heading);
        }
        text += table.row(command.name, command.summary + also_called(command));
    }
    return text + (detail == HelpDetail::all ? explained(globals, table_of(columns, detail), detail) : "") +
           "\nglproc COMMAND --help explains a command; glproc help WORD searches\n"
           "commands, flags and pages; glproc help flags explains shared flags.\n";
}

std::string command_help(const Command& command, int columns, HelpDetail detail) {
    const TextTable table = table_of(columns, detail);
    const auto width = static_cast<std::size_t>(columns);
    const std::string begin = usage_part(command, width) + places_text(command, table);
    const std::string end = example_part(command, width);
    std::vector<FlagGroup> own = task_groups(command);
    if (detail == HelpDetail::all) {
        return begin + explained(own, table, detail) + explained(shared_in_order(command), table, detail) +
               end;
    }
    // Where a command has too many flags of its own, the last of them are named only.
    std::vector<Flag> named;
    while (true) {
        std::string text = begin + explained(own, table, detail);
        if (!named.empty()) {
            text += listed({{"Also", named}}, table);
        }
        const std::string whole = text + shared_part(command, table, lines_in(text) + lines_in(end)) + end;
        if (lines_in(whole) <= screen_lines || own.empty()) {
            return whole;
        }
        named.insert(named.begin(), own.back().second.back());
        own.back().second.pop_back();
        if (own.back().second.empty()) {
            own.pop_back();
        }
    }
}

std::string flags_help(int columns) {
    return "Flags that commands share; glproc COMMAND --help=all explains those of one.\n" +
           explained(shared_flags_of_all(), table_of(columns, HelpDetail::all), HelpDetail::all);
}

} // namespace glproc::cli
