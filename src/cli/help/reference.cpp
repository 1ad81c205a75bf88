#include "cli/help/reference.hpp"

#include "cli/help/describe.hpp"
#include "cli/help/flag_text.hpp"
#include "cli/help/help.hpp"

#include <algorithm>
#include <cctype>
#include <span>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace glproc::cli {

namespace {

/// What the values of a flag mean, and the commands that have these values.
struct Values {
    std::string flag;
    std::vector<Choice> choices;
    std::vector<std::string> commands = {};
};

/// For a cell of a table.
std::string cell(const std::string& text) {
    std::string escaped;
    for (const char c : text) {
        escaped += c == '|' ? "\\|" : std::string(1, c);
    }
    return escaped;
}

std::string code(const std::string& text) {
    return text.empty() ? text : fmt::format("`{}`", cell(text));
}

/// As GitHub derives it from a heading.
std::string anchor(const std::string& heading) {
    std::string text;
    for (const char c : heading) {
        const auto byte = static_cast<unsigned char>(c);
        const bool stays = std::isalnum(byte) != 0 || c == '-' || c == '_';
        text += c == ' ' ? "-" : stays ? std::string(1, static_cast<char>(std::tolower(byte))) : "";
    }
    return text;
}

bool are_same(const std::vector<Choice>& some, const std::vector<Choice>& others) {
    return std::equal(some.begin(), some.end(), others.begin(), others.end(),
                      [](const Choice& a, const Choice& b) { return a.name == b.name && a.when == b.when; });
}

std::string table(const std::vector<Flag>& flags) {
    std::string text = "| flag | default | range | meaning |\n|---|---|---|---|\n";
    for (const Flag& flag : flags) {
        const FieldInfo& info = flag.info;
        const std::string range = range_text(info);
        const bool literal = range.find('|') != std::string::npos;
        text += fmt::format(
            "| {} | {} | {} | {} |\n", code(spelling_with_letter(flag)),
            info.required ? "required" : code(info.default_value), literal ? code(range) : cell(range),
            cell(info.help) + (info.alias.empty() ? "" : fmt::format("; also `--{}`", info.alias)));
    }
    return text;
}

std::string table(const std::vector<Choice>& choices) {
    std::string text = "| value | meaning |\n|---|---|\n";
    for (const Choice& choice : choices) {
        text += fmt::format("| `{}` | {} |\n", choice.name, cell(choice.when));
    }
    return text;
}

std::string table(std::string_view heading, std::span<const Fact> facts) {
    std::string text = fmt::format("| {} | meaning |\n|---|---|\n", heading);
    for (const Fact& fact : facts) {
        text += fmt::format("| {} | {} |\n", code(std::string(fact.name)), cell(std::string(fact.meaning)));
    }
    return text;
}

void add_values(std::vector<Values>& all, const Command& command) {
    for (const Flag& flag : own_flags(command)) {
        if (flag.info.choices.empty()) {
            continue;
        }
        auto known = std::find_if(all.begin(), all.end(), [&](const Values& values) {
            return values.flag == flag.info.name && are_same(values.choices, flag.info.choices);
        });
        if (known == all.end()) {
            known = all.insert(known, {flag.info.name, flag.info.choices});
        }
        known->commands.push_back(command.name);
    }
}

const std::vector<Values>& values_of_all() {
    static const std::vector<Values> values = [] {
        std::vector<Values> all;
        for (const Command& command : commands()) {
            add_values(all, command);
        }
        return all;
    }();
    return values;
}

std::string heading_of(const Values& values) {
    return fmt::format("`--{}` of {}", values.flag, fmt::join(values.commands, ", "));
}

/// What the values of a command's flags mean: a table, or a link where other commands have the same ones.
std::string values_part(const Command& command) {
    std::string tables;
    std::string links;
    for (const Values& values : values_of_all()) {
        if (std::find(values.commands.begin(), values.commands.end(), command.name) ==
            values.commands.end()) {
            continue;
        }
        if (values.commands.size() == 1) {
            tables += fmt::format("Values of `--{}`:\n\n{}\n", values.flag, table(values.choices));
        } else {
            links += fmt::format("{}[`--{}`](#{})", links.empty() ? "" : ", ", values.flag,
                                 anchor(heading_of(values)));
        }
    }
    return tables +
           (links.empty() ? "" : fmt::format("What the values mean: {}.\n\n", links));
}

std::string section(const Command& command) {
    const ShownExample example = examples_of(command).front();
    std::string text = fmt::format("### `{}`\n\n{}\n\n```\n{}\n```\n\n", command.name,
                                   sentence(command.summary), command.example_call());
    if (example.call != command.example_call()) {
        text += fmt::format("{}:\n\n```\n{}\n```\n\n", example.what, example.call);
    }
    if (!command.aliases.empty()) {
        text += fmt::format("Also: `{}`.\n\n", fmt::join(command.aliases, "`, `"));
    }
    const std::vector<Flag> own = own_flags(command);
    return text + (own.empty() ? "" : table(own) + "\n") + values_part(command);
}

std::string shared_values() {
    std::string text;
    for (const Values& values : values_of_all()) {
        text += values.commands.size() > 1
                    ? fmt::format("### {}\n\n{}\n", heading_of(values), table(values.choices))
                    : "";
    }
    return text;
}

/// The commands that take the flags of a group.
std::string takers(const std::string& group) {
    std::vector<std::string> names;
    for (const Command& command : commands()) {
        const std::vector<FlagGroup> groups = shared_flags(command);
        if (std::any_of(groups.begin(), groups.end(),
                        [&](const FlagGroup& one) { return one.first == group; })) {
            names.push_back(command.name);
        }
    }
    return names.size() == commands().size() ? "Every command takes these, and they may come before it."
                                             : fmt::format("For {}.", fmt::join(names, ", "));
}

/// Every command in a line.
std::string contents() {
    std::string text;
    std::string heading;
    for (const Command& command : commands()) {
        if (command.heading != heading) {
            heading = command.heading;
            text += fmt::format("{}**{}**\n\n", text.empty() ? "" : "\n", heading);
        }
        text += fmt::format("- [`{0}`](#{0}): {1}\n", command.name, cell(command.summary));
    }
    return text + "\n";
}

} // namespace

std::string reference_markdown() {
    std::string text = "# Command reference\n\n"
                       "`glproc COMMAND INPUT... [OUTPUT] [flags]`. Flags may come before or after the file "
                       "names. Each command "
                       "has flags of its own, and takes [shared flags](#shared-flags) as well.\n\n" +
                       contents();
    std::string heading;
    for (const Command& command : commands()) {
        if (command.heading != heading) {
            heading = command.heading;
            text += fmt::format("## {}\n\n", heading);
        }
        text += section(command);
    }
    text += "## Shared flags\n\n";
    for (const auto& [group, flags] : shared_flags_of_all()) {
        text += fmt::format("### {}\n\n{}\n\n{}\n", group, takers(group), table(flags));
    }
    return text + fmt::format("## Values of flags\n\n{}## Exit status\n\n{}\n## Environment\n\n{}",
                              shared_values(), table("status", exit_statuses),
                              table("variable", environment_variables));
}

} // namespace glproc::cli
