#include "cli/help/text_table.hpp"

#include "cli/help/flag_text.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace glproc::cli {

namespace {

/// Where the first word of `text` ends; a list of choices longer than a line is cut after one of them.
std::size_t word_end(std::string_view text, std::size_t room) {
    const std::size_t end = std::min(text.find(' '), text.size());
    const std::size_t bar = end > room ? text.substr(0, room).rfind('|') : std::string_view::npos;
    return bar == std::string_view::npos ? end : bar + 1;
}

/// Where the word at `begin` ends; blanks within quotes belong to it.
std::size_t shell_word_end(std::string_view call, std::size_t begin) {
    std::size_t end = begin;
    for (bool quoted = false; end < call.size() && (quoted || call[end] != ' '); ++end) {
        quoted = quoted != (call[end] == '\'');
    }
    return end;
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

std::string wrapped_call(std::string_view call, std::size_t columns, std::size_t indent) {
    std::string result;
    std::size_t used = 0;
    while (!call.empty()) {
        std::size_t end = shell_word_end(call, 0);
        const std::size_t next = std::min(end + 1, call.size());
        if (call.starts_with("--") && next < call.size() && call[next] != '-') {
            end = shell_word_end(call, next); // a flag and its value
        }
        if (used > 0 && used + 1 + end + 2 > columns) { // the blank before it, and the backslash after it
            result.append(" \\\n").append(indent, ' ');
            used = indent;
        } else if (used > 0) {
            result += ' ';
            ++used;
        }
        result += call.substr(0, end);
        used += end;
        call.remove_prefix(std::min(end + 1, call.size()));
    }
    return result;
}

std::string TextTable::row(const std::string& term, const std::string& text) const {
    std::string line = fmt::format("  {}", term);
    if (line.size() + 2 > indent_) {
        line.append(1, '\n').append(indent_, ' ');
    } else {
        line.resize(indent_, ' ');
    }
    return line + wrapped(text, columns_, indent_) + "\n";
}

std::string TextTable::rows(const std::vector<Flag>& flags) const {
    std::string text;
    for (const Flag& flag : flags) {
        text += row(spelling_with_letter(flag), meaning(flag));
    }
    return text;
}

std::string TextTable::rows_with_values(const std::vector<Flag>& flags) const {
    std::string text;
    for (const Flag& flag : flags) {
        text += row(spelling_with_letter(flag), meaning(flag));
        for (const Choice& choice : flag.info.choices) {
            text += row(fmt::format("    {}", choice.name), choice.when);
        }
    }
    return text;
}

} // namespace glproc::cli
