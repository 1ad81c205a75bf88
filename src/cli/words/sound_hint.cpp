#include "cli/words/sound_hint.hpp"

#include "cli/arguments.hpp"
#include "cli/configure.hpp"
#include "cli/words/own_files.hpp"
#include "glproc/base/error.hpp"
#include "glproc/op/op.hpp"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>

#include <fmt/format.h>

namespace glproc::cli {

namespace {

constexpr std::string_view program = "glproc ";

/// The words of the call that ends a hint, as a shell would cut it; nothing where there is none, or more than one.
std::optional<std::vector<std::string>> call_in(const std::string& hint) {
    const std::size_t begin = hint.find(program);
    const auto has = [&](std::string_view part) { return hint.find(part, begin) != std::string::npos; };
    if (begin == std::string::npos || hint.find_first_of("\n;|>\"`$[", begin) != std::string::npos || has("…") || has("...")) {
        return std::nullopt; // a pattern of calls, or more than one
    }
    std::vector<std::string> words;
    bool is_quoted = false;
    bool is_word = false;
    for (const char c : hint.substr(begin + program.size())) {
        if (c == '\'') {
            is_quoted = !is_quoted;
        } else if (c == ' ' && !is_quoted) {
            is_word = false;
            continue;
        }
        if (!std::exchange(is_word, true)) {
            words.emplace_back();
        }
        if (c != '\'') {
            words.back() += c;
        }
    }
    return words;
}

/// Whether what the call names as output is an input of the user's: one of several that went to a folder, or of a command that
/// writes none.
bool replaces_input(const Arguments& call, const std::vector<std::string>& words) {
    std::error_code missing;
    if (!call.has_output() || !std::filesystem::is_regular_file(call.output(), missing)) {
        return false;
    }
    std::vector<std::string> files;
    std::ranges::copy_if(words, std::back_inserter(files), looks_like_file);
    const std::size_t at = find_command_word(words);
    const Command* command = at < words.size() ? find_command(words[at]) : nullptr;
    const bool writes_none = command != nullptr && !command->has_output();
    const bool is_named = std::ranges::find(files, call.output()) != files.end();
    return is_named && (writes_none || (files.back() != call.output() && names_folder(files.back())));
}

/// The call as it would be run; nothing where it would be refused.
std::optional<Arguments> taken(const std::vector<std::string>& call) {
    try {
        Arguments arguments = parse_arguments(call);
        if (!arguments.has("help")) {
            require_places(arguments);
            static_cast<void>(configure(arguments));
        }
        const bool needs_folder = arguments.has_output() && arguments.inputs().size() > 1 && !arguments.op().joins;
        return needs_folder && !names_folder(arguments.output()) ? std::nullopt : std::optional(arguments);
    } catch (const Error&) {
        return std::nullopt;
    }
}

/// Whether an operation on images decides what is taken.
bool is_of_operation(const std::vector<std::string>& call) {
    const Command* command = call.empty() ? nullptr : find_command(call.front());
    return command != nullptr && command->op != nullptr && !command->measures;
}

} // namespace

bool would_run(const std::string& call) {
    const std::optional<std::vector<std::string>> words = call_in(call);
    return words && (!is_of_operation(*words) || taken(*words));
}

std::string sound_hint(const std::string& hint, const std::vector<std::string>& words) {
    const std::optional<std::vector<std::string>> call = call_in(hint);
    if (!call || !is_of_operation(*call)) {
        return hint;
    }
    if (const std::optional<Arguments> meant = taken(*call); meant && !replaces_input(*meant, words)) {
        return hint;
    }
    const std::size_t at = find_command_word(words);
    const Command* command = at < words.size() ? find_command(words[at]) : nullptr;
    return command == nullptr ? "glproc --help lists the commands" : fmt::format("glproc {} --help lists the flags", command->name);
}

} // namespace glproc::cli
