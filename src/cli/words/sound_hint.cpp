#include "cli/words/sound_hint.hpp"

#include "cli/arguments.hpp"
#include "cli/configure.hpp"
#include "cli/words/magick.hpp"
#include "cli/words/magick_names.hpp"
#include "cli/words/own_files.hpp"
#include "glproc/base/error.hpp"
#include "glproc/op/op.hpp"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <filesystem>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>

#include <fmt/format.h>

namespace glproc::cli {

namespace {

constexpr std::string_view program = "glproc ";

/// The words of the call that ends a hint, as a shell would cut it; nothing where there is none, a pattern of calls, or more than one.
std::optional<std::vector<std::string>> call_in(const std::string& hint) {
    const std::size_t begin = hint.find(program);
    if (begin == std::string::npos) {
        return std::nullopt;
    }
    std::vector<std::string> words;
    bool is_quoted = false;
    bool is_word = false;
    for (std::size_t at = begin + program.size(); at < hint.size(); ++at) {
        const std::string_view rest = std::string_view(hint).substr(at);
        const bool is_pattern = std::string_view("\n;|>\"`$[").find(rest.front()) != std::string_view::npos ||
                                rest.starts_with("…") || rest.starts_with("...");
        if (!is_quoted && is_pattern) {
            return std::nullopt;
        }
        if (!is_quoted && rest.front() == ' ') {
            is_word = false;
            continue;
        }
        if (!std::exchange(is_word, true)) {
            words.emplace_back();
        }
        if (rest.front() == '\'') {
            is_quoted = !is_quoted;
        } else if (!is_quoted && rest.starts_with("\\'")) {
            words.back() += hint[++at];
        } else {
            words.back() += rest.front();
        }
    }
    return words;
}

bool is_a_number(const std::string& word) {
    const std::size_t first = word.find_first_not_of("+-.");
    return first != std::string::npos && std::isdigit(static_cast<unsigned char>(word[first])) != 0;
}

/// Whether a word of a call may be a file or a folder: neither a flag nor a number, nor what belongs to one before it.
bool may_be_place(const std::vector<std::string>& words, std::size_t i) {
    const auto is_sign = [](const std::string& word) { return word.size() > 1 && (word.front() == '-' || word.front() == '+'); };
    const bool belongs = i > 0 && (is_sign(words[i - 1]) || is_a_number(words[i - 1]));
    return looks_like_file(words[i]) || words[i] == "-" || !(is_sign(words[i]) || is_a_number(words[i]) || belongs);
}

/// Whether the call would write over an input of the user's: where not all that he named stands in it, or his command writes
/// nothing, a file of his that is there is no output.
bool replaces_input(const Arguments& meant, const std::vector<std::string>& call, const std::vector<std::string>& words) {
    std::error_code missing;
    if (!meant.has_output() || !std::filesystem::is_regular_file(meant.output(), missing)) {
        return false;
    }
    const auto is_among = [](const std::vector<std::string>& all, const std::string& word) { return std::ranges::find(all, word) != all.end(); };
    const std::size_t at = find_command_word(words);
    const Command* command = at < words.size() ? find_command(words[at]) : nullptr;
    const bool writes_none = command != nullptr && !command->has_output();
    const bool is_own = is_among(words, meant.output());
    bool keeps_all = true;
    const auto is_of_others = [](const std::string& word) { return word.size() > 2 && is_magick_flag(word); };
    const bool is_ours = command != nullptr && command->op != nullptr && std::ranges::none_of(words, is_of_others);
    for (std::size_t i = at + 1; is_ours && i < words.size(); ++i) {
        const bool is_part = words[i].ends_with(']'); // "z.tif[2]" is another word here
        keeps_all = keeps_all && (is_part || !may_be_place(words, i) || is_among(call, words[i]));
    }
    return is_among(meant.inputs(), meant.output()) || (is_own && (writes_none || !keeps_all));
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
    if (!call || !is_of_operation(*call) || std::ranges::find(*call, "--help") != call->end()) {
        return hint;
    }
    if (const std::optional<Arguments> meant = taken(*call); meant && !replaces_input(*meant, *call, words)) {
        return hint;
    }
    const std::size_t at = find_command_word(words);
    const Command* command = at < words.size() ? find_command(words[at]) : nullptr;
    return command == nullptr ? "glproc --help lists the commands" : fmt::format("glproc {} --help lists the flags", command->name);
}

} // namespace glproc::cli
