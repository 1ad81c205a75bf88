#include "cli/words/bare_values.hpp"

#include "cli/words/magick.hpp"
#include "cli/words/thesaurus.hpp"
#include "glproc/base/error.hpp"
#include "glproc/op/plan.hpp"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <memory>
#include <optional>
#include <system_error>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace glproc::cli {

namespace {

Error usage(const std::string& what, const std::string& hint) {
    return {ErrorCode::usage, what, hint};
}

bool exists(const std::string& path) {
    std::error_code missing;
    return std::filesystem::exists(path, missing);
}

/// "50%", "640x480+10+10", "-1.5", "128/255": never the name of a folder that is to be made.
bool looks_like_value(const std::string& word) {
    const std::size_t first = word.find_first_not_of("+-.x#");
    return first != std::string::npos && std::isdigit(static_cast<unsigned char>(word[first])) != 0 &&
           word.find_first_not_of("0123456789.,x%+-/^!<>:") == std::string::npos;
}

bool is_taken(const OpInfo& op, const FieldInfo& field, const std::string& word) {
    try {
        op.make()->set(field.name, word);
        return true;
    } catch (const Error&) {
        return false;
    }
}

/// Whether the last place is the value of this field, and no file.
bool is_value_of(const FieldInfo& field, const Arguments& arguments) {
    const std::string& word = arguments.places.back();
    if (field.reads_picture) {
        return !arguments.has(arguments.flag_of(field)) || !names_folder(word);
    }
    if (arguments.command->measures || arguments.command->places.front().name != "IN") {
        return true; // there are no files among its places
    }
    if (names_folder(word) || word == "-") {
        return false;
    }
    return looks_like_value(word) || (!exists(word) && is_taken(*arguments.command->op, field, word)) ||
           (field.required && !arguments.has(arguments.flag_of(field)));
}

/// The files of the call, as they were typed.
std::string files_text(const Arguments& arguments, std::size_t count) {
    std::string text;
    for (std::size_t i = 0; i < std::min(count, arguments.places.size()); ++i) {
        text += " " + shell_word(arguments.places[i]);
    }
    return text;
}

/// The flag that the word may have been meant for: the one before it, which takes its value after "=".
const Flag* flag_before(const Command& command, const std::vector<std::string>& words,
                        const std::string& word) {
    const auto at = std::find(words.begin(), words.end(), word);
    const Flag* flag =
        at == words.begin() || at == words.end() ? nullptr : find_any_flag(command.flags, *(at - 1));
    return flag != nullptr && !flag->implied.empty() ? flag : nullptr;
}

/// The flag before the word, where it takes no value at all: -q.
const Flag* switch_before(const Command& command, const std::vector<std::string>& words,
                          const std::string& word) {
    const auto at = std::find(words.begin(), words.end(), word);
    if (at == words.begin() || at == words.end()) {
        return nullptr;
    }
    const Flag* flag = find_any_flag(command.flags, *(at - 1));
    flag = flag == nullptr ? find_any_flag(global_flags(), *(at - 1)) : flag;
    return flag != nullptr && !flag->takes_value() ? flag : nullptr;
}

/// Whether a bare value may be this field.
bool may_be(const FieldInfo& field, const Arguments& arguments, const std::string& word) {
    return !field.value.empty() && !arguments.has(field.name) && field.kind != FieldKind::picture &&
           field.kind != FieldKind::file && is_taken(*arguments.command->op, field, word);
}

/// The value as the operation takes it for a photo: codes, as other programs count them, it would have as
/// fractions.
std::string accepted(const OpInfo& op, const FieldInfo& field, const std::string& value) {
    const std::string write = fmt::format("write --{} ", field.name);
    try {
        const std::unique_ptr<Operation> made = op.make();
        made->set(field.name, value);
        static_cast<void>(made->plan({.width = 64, .height = 64, .channels = 3, .depth = Depth::u8}));
    } catch (const Error& error) {
        if (error.hint().starts_with(write)) {
            return error.hint().substr(write.size(), error.hint().find(" or ") - write.size());
        }
    }
    return value;
}

/// Each of the values as a field of its own, those that have to be given first; empty where one has none.
std::string flags_for(const Arguments& arguments, const std::vector<std::string>& values) {
    std::string text;
    std::size_t at = 0;
    for (const bool required : {true, false}) {
        for (const FieldInfo& field : arguments.command->op->fields) {
            if (at < values.size() && field.required == required && may_be(field, arguments, values[at])) {
                text += fmt::format(" --{} {}", field.name,
                                    shell_word(accepted(*arguments.command->op, field, values[at])));
                ++at;
            }
        }
    }
    return at == values.size() ? text : "";
}

/// The call that was meant by one with these values after its files.
std::string call_meant(const Arguments& arguments, const std::vector<std::string>& values) {
    const Command& command = *arguments.command;
    const std::string call =
        fmt::format("glproc {}{}", command.name, files_text(arguments, command.has_output() ? 2 : 1));
    if (const std::optional<std::string> flags = magick_arguments(command.op->name, values.back())) {
        return fmt::format("{} {}", call, *flags);
    }
    for (const std::vector<std::string>& words : {values, {fmt::format("{}", fmt::join(values, " "))}}) {
        if (const std::string flags = flags_for(arguments, words); !flags.empty()) {
            return call + flags;
        }
    }
    return fmt::format("glproc {} --help", command.name);
}

/// Several inputs need a folder; a number is none.
void refuse_stray_value(const Arguments& arguments, const std::vector<std::string>& words) {
    const Command& command = *arguments.command;
    if (!command.takes_many() || !command.has_output() || command.takes_steps ||
        arguments.places.size() < 3) {
        return;
    }
    const std::string& word = arguments.places.back();
    if (!looks_like_value(word) || exists(word)) {
        return;
    }
    if (const Flag* flag = flag_before(command, words, word)) {
        throw usage(fmt::format("--{} takes its value after an equals sign", flag->info.name),
                    fmt::format("--{}={}", flag->info.name, word));
    }
    if (const Flag* flag = switch_before(command, words, word)) {
        const std::string call = fmt::format("glproc {}{}", command.name, files_text(arguments, 2));
        const bool is_quality =
            flag->info.name == "quiet" && find_flag(command.flags, "--quality") != nullptr;
        throw usage(fmt::format("--{} takes no value, but '{}' follows it", flag->info.name, word),
                    is_quality ? fmt::format("{} --quality {}", call, word) : call);
    }
    const auto is_file = [](const std::string& place) { return !looks_like_value(place) || exists(place); };
    const auto after_files =
        std::find_if(arguments.places.rbegin(), arguments.places.rend() - 2, is_file).base();
    throw usage(fmt::format("unexpected argument '{}'", *after_files),
                call_meant(arguments, {after_files, arguments.places.end()}));
}

/// What the last word is to be, where it is no value of the field that may stand there: a file, whose value
/// stands between the files, or a slip.
void refuse_bare(const Arguments& arguments, const FieldInfo& field, const std::string& word) {
    const Command& command = *arguments.command;
    try {
        command.op->make()->set(field.name, word);
        return;
    } catch (const Error& error) {
        for (const std::string& place : arguments.places) {
            if (looks_like_value(place) && !exists(place) && is_taken(*command.op, field, place)) {
                std::string call = fmt::format("glproc {}", command.name);
                for (const std::string& file : arguments.places) {
                    call += file == place ? "" : " " + shell_word(file);
                }
                throw usage(fmt::format("{} stands between the files; it comes after them", place),
                            fmt::format("{} {}", call, shell_word(place)));
            }
        }
        const std::string what = error.what();
        const std::string named = fmt::format("--{} {} ", field.name, word);
        throw Error(error.code(),
                    what.starts_with(named) ? fmt::format("'{}' {}", word, what.substr(named.size())) : what,
                    error.hint());
    }
}

} // namespace

void take_bare_values(Arguments& arguments, const std::vector<std::string>& words) {
    const Command* command = arguments.command;
    if (command == nullptr || command->op == nullptr) {
        return;
    }
    for (const FieldInfo& field : command->op->fields) {
        const bool has_room =
            arguments.places.size() + (arguments.has("files-from") ? 1 : 0) >= command->places.size();
        if (!field.is_place || !has_room || arguments.places.empty() || !is_value_of(field, arguments)) {
            continue;
        }
        const std::string flag = arguments.flag_of(field);
        const std::string word = arguments.places.back();
        if (arguments.has(flag)) {
            throw usage(fmt::format("{} is given twice: '{}' and --{} {}", field.name, word, flag,
                                    arguments.value(flag)),
                        command->example_call());
        }
        if (!field.reads_picture) {
            refuse_bare(arguments, field, word);
        }
        arguments.places.pop_back();
        arguments.flags[flag] = word;
        if (flag_before(*command, words, word) != nullptr) {
            arguments.places.push_back(word);
            refuse_stray_value(arguments, words);
        }
    }
    refuse_stray_value(arguments, words);
}

} // namespace glproc::cli
