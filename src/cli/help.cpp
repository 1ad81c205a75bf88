#include "cli/help.hpp"

#include <algorithm>
#include <cctype>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace glproc::cli {

namespace {

constexpr std::size_t term_columns = 26;

/// Where the first word of `text` ends; a list of choices longer than a line is cut behind one of them.
std::size_t word_end(std::string_view text, std::size_t room) {
    const std::size_t end = std::min(text.find(' '), text.size());
    const std::size_t bar = end > room ? text.substr(0, room).rfind('|') : std::string_view::npos;
    return bar == std::string_view::npos ? end : bar + 1;
}

/// "The device." of "the device".
std::string sentence(std::string text) {
    text.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(text.front())));
    return text + ".";
}

/// A term and what it means, in two columns; a term too long for its column gets a line of its own.
std::string entry(const std::string& term, const std::string& meaning, int columns) {
    std::string line = fmt::format("  {}", term);
    if (line.size() + 2 > term_columns) {
        line.append(1, '\n').append(term_columns, ' ');
    } else {
        line.resize(term_columns, ' ');
    }
    return line + wrapped(meaning, static_cast<std::size_t>(columns), term_columns) + "\n";
}

/// "--device auto|N|NAME", "--timing[=text|json]".
std::string spelling(const Flag& flag) {
    if (!flag.takes_value()) {
        return fmt::format("--{}", flag.info.name);
    }
    return flag.implied.empty() ? fmt::format("--{} {}", flag.info.name, flag.info.value)
                                : fmt::format("--{}[={}]", flag.info.name, flag.info.value);
}

std::string with_letter(const Flag& flag) {
    return flag.letter == 0 ? spelling(flag) : fmt::format("-{}, {}", flag.letter, spelling(flag));
}

/// "0 to 1000 pixels", or nothing where the spelling says it all.
std::string range_text(const FieldInfo& info) {
    if (info.range.empty() || info.range == info.value) {
        return {};
    }
    return info.unit.empty() ? info.range : info.range + " " + info.unit;
}

/// The sentence, and in brackets what a value may be and what it is without the flag.
std::string meaning(const Flag& flag) {
    std::vector<std::string> facts;
    if (const std::string range = range_text(flag.info); !range.empty()) {
        facts.push_back(range);
    }
    if (flag.info.required) {
        facts.emplace_back("required");
    }
    if (!flag.info.default_value.empty()) {
        facts.push_back("default " + flag.info.default_value);
    }
    return facts.empty() ? flag.info.help : fmt::format("{} ({})", flag.info.help, fmt::join(facts, "; "));
}

std::string flag_entries(const std::vector<Flag>& flags, int columns) {
    std::string text;
    for (const Flag& flag : flags) {
        text += entry(with_letter(flag), meaning(flag), columns);
        for (const Choice& choice : flag.info.choices) {
            text += entry("    " + choice.name, choice.when, columns);
        }
    }
    return text;
}

/// "glproc COMMAND IN OUT --needed VALUE [flags]"
std::string usage_line(const Command& command) {
    std::string line = fmt::format("glproc {}", command.name);
    for (const Place& place : command.places) {
        line += place.required ? fmt::format(" {}", place.name) : fmt::format(" [{}]", place.name);
    }
    for (const Flag& flag : command.flags) {
        line += flag.info.required ? fmt::format(" {}", spelling(flag)) : "";
    }
    return line + " [flags]";
}

/// For a cell of a table.
std::string code(const std::string& text) {
    std::string escaped;
    for (const char c : text) {
        escaped += c == '|' ? "\\|" : std::string(1, c);
    }
    return escaped.empty() ? escaped : fmt::format("`{}`", escaped);
}

std::string markdown_row(const Flag& flag) {
    const FieldInfo& info = flag.info;
    const std::string standard = info.required ? "required" : code(info.default_value);
    const bool choices = info.range.find('|') != std::string::npos;
    const std::string range = range_text(info);
    return fmt::format("| {} | {} | {} | {} |\n", code(with_letter(flag)), standard,
                       choices ? code(range) : range, info.help);
}

} // namespace

std::string wrapped(std::string_view text, std::size_t columns, std::size_t indent) {
    std::string result;
    std::size_t used = indent;
    std::size_t spaces = 0; // before the next word
    while (!text.empty()) {
        const std::size_t end = word_end(text, columns - indent);
        if (used > indent && used + spaces + end > columns) {
            result.append(1, '\n').append(indent, ' ');
            used = indent;
            spaces = 0;
        }
        result.append(spaces, ' ').append(text.substr(0, end));
        used += spaces + end;
        spaces = end < text.size() && text[end] == ' ' ? 1 : 0;
        text.remove_prefix(end + spaces);
    }
    return result;
}

std::string version_text() {
    return "glproc " GLPROC_VERSION;
}

std::string overview(int columns) {
    std::string text = fmt::format("{}: image processing in OpenGL 4.3 compute shaders\n\n"
                                   "Usage: glproc COMMAND INPUT... [OUTPUT] [flags]\n\nCommands:\n",
                                   version_text());
    for (const Command& command : commands()) {
        std::string names = command.name;
        for (const std::string& alias : command.aliases) {
            names += ", " + alias;
        }
        text += entry(names, command.summary, columns);
    }
    return text + fmt::format("\nGlobal flags, before or after the command:\n{}\n"
                              "glproc COMMAND --help explains a command and its flags.\n\nExample:\n  {}\n",
                              flag_entries(global_flags(), columns), commands().front().example_call());
}

std::string command_help(const Command& command, int columns) {
    const auto width = static_cast<std::size_t>(columns);
    std::string text = fmt::format("Usage: {}\n\n{}\n\n", wrapped(usage_line(command), width - 7, 7),
                                   wrapped(sentence(command.summary), width, 0));
    for (const Place& place : command.places) {
        text += entry(place.name, place.help, columns);
    }
    if (!command.flags.empty()) {
        text += fmt::format("{}Flags:\n{}", command.places.empty() ? "" : "\n",
                            flag_entries(command.flags, columns));
    }
    return text + fmt::format("\nGlobal flags:\n{}\nExample:\n  {}\n", flag_entries(global_flags(), columns),
                              command.example_call());
}

std::string operations_markdown() {
    std::string text;
    for (const Command& command : commands()) {
        if (command.op == nullptr) {
            continue;
        }
        text += fmt::format("### `{}`\n\n{}\n\n```\n{}\n```\n\n", command.name, sentence(command.summary),
                            command.example_call());
        text += "| flag | default | range | meaning |\n|---|---|---|---|\n";
        for (const Flag& flag : command.flags) {
            text += markdown_row(flag);
        }
        text += "\n";
    }
    return text;
}

} // namespace glproc::cli
