#include "cli/help/reference.hpp"

#include "cli/help/describe.hpp"
#include "cli/help/flag_text.hpp"

#include <algorithm>
#include <cctype>
#include <span>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace glproc::cli {

namespace {

/// What the values of a flag mean, and the commands that have it so.
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

/// As GitHub derives it from a heading of plain words.
std::string anchor(std::string heading) {
    for (char& c : heading) {
        c = c == ' ' ? '-' : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    }
    return heading;
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

std::string table(std::string_view heading, std::span<const Fact> facts) {
    std::string text = fmt::format("| {} | meaning |\n|---|---|\n", heading);
    for (const Fact& fact : facts) {
        text += fmt::format("| {} | {} |\n", code(std::string(fact.name)), cell(std::string(fact.meaning)));
    }
    return text;
}

std::string section(const Command& command) {
    std::string text = fmt::format("### `{}`\n\n{}\n\n```\n{}\n```\n\n", command.name,
                                   sentence(command.summary), command.example_call());
    if (!command.aliases.empty()) {
        text += fmt::format("Also: `{}`.\n\n", fmt::join(command.aliases, "`, `"));
    }
    const std::vector<Flag> own = own_flags(command);
    text += own.empty() ? "" : table(own) + "\n";
    std::vector<std::string> links;
    for (const auto& [heading, flags] : shared_flags(command)) {
        links.push_back(fmt::format("[{}](#{})", heading, anchor(heading)));
    }
    return text + fmt::format("Shared flags: {}.\n\n", fmt::join(links, ", "));
}

void add_values(std::vector<Values>& all, const Command& command) {
    const auto same = [](const Choice& a, const Choice& b) { return a.name == b.name && a.when == b.when; };
    for (const Flag& flag : own_flags(command)) {
        const auto& choices = flag.info.choices;
        if (choices.empty()) {
            continue;
        }
        auto known = std::find_if(all.begin(), all.end(), [&](const Values& values) {
            return values.flag == flag.info.name && std::equal(values.choices.begin(), values.choices.end(),
                                                               choices.begin(), choices.end(), same);
        });
        if (known == all.end()) {
            known = all.insert(known, {flag.info.name, choices});
        }
        known->commands.push_back(command.name);
    }
}

std::string values_sections() {
    std::vector<Values> all;
    for (const Command& command : commands()) {
        add_values(all, command);
    }
    std::string text;
    for (const Values& values : all) {
        text += fmt::format("### `--{}` of {}\n\n| value | meaning |\n|---|---|\n", values.flag,
                            fmt::join(values.commands, ", "));
        for (const Choice& choice : values.choices) {
            text += fmt::format("| `{}` | {} |\n", choice.name, cell(choice.when));
        }
        text += "\n";
    }
    return text;
}

} // namespace

std::string reference_markdown() {
    std::string text =
        "# Command reference\n\n"
        "<!-- Generated: build/release/glproc --describe reference > docs/reference.md -->\n\n"
        "`glproc COMMAND INPUT... [OUTPUT] [flags]`. Flags may come before or after the file names; "
        "those of [every command](#every-command) may also come before the command.\n\n";
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
        text += fmt::format("### {}\n\n{}\n", group, table(flags));
    }
    return text + fmt::format("## What the values mean\n\n{}## Exit status\n\n{}\n## Environment\n\n{}",
                              values_sections(), table("status", exit_statuses),
                              table("variable", environment_variables));
}

} // namespace glproc::cli
