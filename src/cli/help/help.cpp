#include "cli/help/help.hpp"

#include "cli/help/flag_text.hpp"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>

namespace glproc::cli {

namespace {

/// Text in two columns: what is explained, and the explanation.
class Table {
  public:
    Table(int columns, HelpDetail detail)
        : columns_(static_cast<std::size_t>(columns)), indent_(detail == HelpDetail::all ? 26 : 20),
          choices_(detail == HelpDetail::all) {}

    /// A term too long for its column gets a line of its own.
    std::string row(const std::string& term, const std::string& text) const {
        std::string line = fmt::format("  {}", term);
        if (line.size() + 2 > indent_) {
            line.append(1, '\n').append(indent_, ' ');
        } else {
            line.resize(indent_, ' ');
        }
        return line + wrapped(text, columns_, indent_) + "\n";
    }

    std::string rows(const std::vector<Flag>& flags) const {
        std::string text;
        for (const Flag& flag : flags) {
            text += row(spelling_with_letter(flag), meaning(flag));
            for (std::size_t i = 0; choices_ && i < flag.info.choices.size(); ++i) {
                text += row(fmt::format("    {}", flag.info.choices[i].name), flag.info.choices[i].when);
            }
        }
        return text;
    }

    std::string rows(const std::vector<Place>& places) const {
        std::string text;
        for (const Place& place : places) {
            text += row(place.name, place.help);
        }
        return text;
    }

  private:
    std::size_t columns_;
    std::size_t indent_;
    bool choices_;
};

/// Where the first word of `text` ends; a list of choices longer than a line is cut after one of them.
std::size_t word_end(std::string_view text, std::size_t room) {
    const std::size_t end = std::min(text.find(' '), text.size());
    const std::size_t bar = end > room ? text.substr(0, room).rfind('|') : std::string_view::npos;
    return bar == std::string_view::npos ? end : bar + 1;
}

/// The groups with their headings, each flag explained.
std::string explained(const std::vector<FlagGroup>& groups, const Table& table) {
    std::string text;
    for (const auto& [heading, flags] : groups) {
        text += fmt::format("\n{}:\n{}", heading, table.rows(flags));
    }
    return text;
}

/// The flags by name alone, except those that every program has.
std::string listed(const std::vector<FlagGroup>& groups, std::size_t columns) {
    std::string text = "More flags (--help=all):";
    for (const auto& [heading, flags] : groups) {
        for (const Flag& flag : flags) {
            const bool known = flag.info.name == "help" || flag.info.name == "version";
            text += known ? "" : fmt::format(" --{}", flag.info.name);
        }
    }
    return fmt::format("\n{}\n", wrapped(text, columns, 2));
}

/// Those that no flag explains: a field's value that may stand bare is explained with its flag.
std::vector<Place> places_alone(const Command& command) {
    std::vector<Place> places;
    std::copy_if(command.places.begin(), command.places.end(), std::back_inserter(places),
                 [&](const Place& place) {
                     return std::none_of(command.flags.begin(), command.flags.end(), [&](const Flag& flag) {
                         return flag.info.is_place && flag.info.value == place.name;
                     });
                 });
    return places;
}

std::string shared_part(const std::vector<FlagGroup>& groups, int columns, HelpDetail detail) {
    return detail == HelpDetail::all ? explained(groups, Table(columns, detail))
                                     : listed(groups, static_cast<std::size_t>(columns));
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

std::string overview(int columns, HelpDetail detail) {
    const Table table(columns, detail);
    std::string text = fmt::format("{}: image processing in OpenGL 4.3 compute shaders\n\n"
                                   "Usage: glproc COMMAND INPUT... [OUTPUT] [flags]\n",
                                   version_text());
    std::string heading;
    for (const Command& command : commands()) {
        if (command.heading != heading) {
            heading = command.heading;
            text += fmt::format("\n{}:\n", heading);
        }
        text += table.row(names_of(command), command.summary);
    }
    return text + fmt::format("{}\nglproc COMMAND --help explains a command and its flags.\n\nExample: {}\n",
                              shared_part({{global_group, global_flags()}}, columns, detail),
                              commands().front().example_call());
}

std::string command_help(const Command& command, int columns, HelpDetail detail) {
    const Table table(columns, detail);
    const auto width = static_cast<std::size_t>(columns);
    const std::string summary = wrapped(sentence(command.summary), width, 0);
    return fmt::format("Usage: {}\n{}\n\n{}{}{}\nExample: {}\n", wrapped(usage_line(command), width - 7, 7),
                       summary, table.rows(places_alone(command)), table.rows(own_flags(command)),
                       shared_part(shared_flags(command), columns, detail), command.example_call());
}

} // namespace glproc::cli
