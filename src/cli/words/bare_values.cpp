#include "cli/words/bare_values.hpp"

#include "cli/words/magick.hpp"
#include "cli/words/own_files.hpp"
#include "cli/words/sound_hint.hpp"
#include "cli/words/thesaurus.hpp"
#include "glproc/base/error.hpp"
#include "glproc/base/number.hpp"
#include "glproc/op/plan.hpp"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <memory>
#include <optional>
#include <system_error>
#include <utility>

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
    return !field.value.empty() && !arguments.has(field.name) && field.name != "method" && field.kind != FieldKind::picture &&
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

/// Names of fields, and their values.
using Given = std::vector<std::pair<std::string, std::string>>;

/// Each of the values as a field of its own, those that have to be given first; empty where one has none.
Given fields_for(const Arguments& arguments, const std::vector<std::string>& values) {
    Given given;
    for (const bool required : {true, false}) {
        for (const FieldInfo& field : arguments.command->op->fields) {
            const std::size_t at = given.size();
            if (at < values.size() && field.required == required && may_be(field, arguments, values[at])) {
                given.emplace_back(field.name, accepted(*arguments.command->op, field, values[at]));
            }
        }
    }
    return given.size() == values.size() ? given : Given{};
}

/// Whether the operation can do with these values, and with those of the call.
bool is_whole(const Arguments& arguments, const Given& given) {
    const OpInfo& op = *arguments.command->op;
    const std::unique_ptr<Operation> made = op.make();
    try {
        for (const FieldInfo& field : op.fields) {
            const auto own = std::find_if(given.begin(), given.end(),
                                          [&](const auto& pair) { return pair.first == field.name; });
            const std::string flag = arguments.flag_of(field);
            if (own != given.end()) {
                made->set(field.name, own->second);
            } else if (arguments.has(flag)) {
                made->set(field.name, arguments.value(flag));
            } else if (field.required) {
                return false;
            }
        }
        static_cast<void>(made->plan({.width = 64, .height = 64, .channels = 3, .depth = Depth::u8}));
    } catch (const Error&) {
        return false;
    }
    return !given.empty();
}

/// The flags of the call that were typed as such, and that the command's own word does not stand for.
std::string flags_text(const Arguments& arguments, const std::string& word) {
    const std::vector<std::string> meant = flags_in_word(*arguments.command, word);
    std::string text;
    for (const Flag& flag : arguments.command->flags.get()) {
        const std::string& name = flag.info.name;
        if (!arguments.has(name) || !arguments.times.contains(name) || std::ranges::find(meant, "--" + name) != meant.end()) {
            continue;
        }
        text += " --" + name;
        if (flag.takes_value()) {
            text += (flag.implied.empty() ? " " : "=") + shell_word(arguments.value(name));
        }
    }
    return text;
}

/// The call that was meant by one with these values after its files, which are the places of `arguments`.
std::string call_with_bare(const Arguments& arguments, const std::vector<std::string>& values,
                       const std::string& typed) {
    const Command& command = *arguments.command;
    const std::string word = find_command(typed) == &command ? typed : command.name; // "dilate"
    const std::string call = fmt::format("glproc {}{}{}", word, files_text(arguments, arguments.places.size()), flags_text(arguments, word));
    if (const std::optional<std::string> flags = magick_arguments(command.op->name, values.back())) {
        return fmt::format("{} {}", call, *flags);
    }
    if (const Flag* flag = find_flag(command.flags, "--" + values.back()); flag != nullptr && values.size() == 1) { // "levels IN OUT auto"
        const std::string meant = fmt::format("{} --{}", call, flag->info.name);
        return would_run(meant) ? meant : fmt::format("glproc {} --help", word);
    }
    std::vector<Given> candidates{fields_for(arguments, values),
                                  fields_for(arguments, {fmt::format("{}", fmt::join(values, " "))})};
    for (const FieldInfo& field : command.op->fields) { // "127 255" of OpenCV's threshold: the first is meant
        if (field.is_place && !field.reads_picture) {
            candidates.push_back({{field.name, accepted(*command.op, field, values.front())}});
        }
    }
    const auto found = std::find_if(candidates.begin(), candidates.end(),
                                    [&](const Given& given) { return is_whole(arguments, given); });
    if (found == candidates.end()) {
        return fmt::format("glproc {} --help", word);
    }
    std::string flags;
    for (const auto& [name, value] : *found) {
        flags += fmt::format(" --{} {}", name, shell_word(value));
    }
    return call + flags;
}

/// As ImageMagick's -quality, which is another flag for some formats.
std::string call_with_quality(const Arguments& arguments, const std::string& value) {
    const std::optional<std::string> call =
        arguments.places.size() == 2 ? magick_call({"convert", arguments.places[0], "-quality", value, arguments.places[1]}) : std::nullopt;
    return call.value_or(
        fmt::format("glproc {}{} --quality {}", arguments.command->name, files_text(arguments, arguments.places.size()), value));
}

[[noreturn]] void refuse_switch_value(const Arguments& arguments, const Flag& flag, const std::string& word,
                                      const std::string& typed) {
    const Command& command = *arguments.command;
    Arguments files = arguments;
    std::erase(files.places, word);
    files.flags.erase(flag.info.name);
    const std::string call = fmt::format("glproc {}{}", command.name, files_text(files, files.places.size()));
    const bool is_quality = flag.info.name == "quiet" && find_flag(command.flags, "--quality") != nullptr;
    const std::string meant = is_quality ? call_with_quality(files, word) : call_with_bare(files, {word}, typed);
    throw usage(fmt::format("--{} takes no value, but '{}' follows it", flag.info.name, word),
                meant.ends_with("--help") ? call : meant);
}

/// "draw IN OUT hello", "morphology IN IN FOLDER/ open": behind a file that is still to be written, or a folder, a word that some
/// flag takes is no folder.
void refuse_stray_text(const Arguments& arguments, const std::string& word, const std::string& typed) {
    const std::size_t count = arguments.places.size();
    const bool has_out = count == 3 ? !exists(arguments.places[1]) : names_folder(arguments.places[count - 2]);
    if (!has_out || looks_like_file(word)) {
        return;
    }
    Arguments files = arguments;
    files.places.pop_back();
    const std::string meant = call_with_bare(files, {word}, typed);
    if (!meant.ends_with("--help")) {
        throw usage(fmt::format("unexpected argument '{}'", word), meant);
    }
}

/// Several inputs need a folder; a number is none.
void refuse_stray_value(const Arguments& arguments, const std::vector<std::string>& words) {
    const Command& command = *arguments.command;
    if (!command.takes_many() || !command.has_output() || command.takes_steps ||
        arguments.places.size() < 3) {
        return;
    }
    const auto is_file = [](const std::string& place) { return !looks_like_value(place) || exists(place); };
    for (const std::string& word : arguments.places) { // "in.jpg -q 80 out.jpg"
        if (const Flag* flag = is_file(word) ? nullptr : switch_before(command, words, word)) {
            refuse_switch_value(arguments, *flag, word, words.front());
        }
    }
    const std::string& word = arguments.places.back();
    if (is_file(word)) {
        refuse_stray_text(arguments, word, words.front());
        return;
    }
    if (const Flag* flag = flag_before(command, words, word)) {
        throw usage(fmt::format("--{} takes its value after an equals sign", flag->info.name),
                    fmt::format("--{}={}", flag->info.name, word));
    }
    const auto after_files =
        std::find_if(arguments.places.rbegin(), arguments.places.rend() - 2, is_file).base();
    Arguments files = arguments;
    files.places.assign(arguments.places.begin(), after_files);
    throw usage(fmt::format("unexpected argument '{}'", *after_files),
                call_with_bare(files, {after_files, arguments.places.end()}, words.front()));
}

/// The last words as a size is written here, with how many they are: "320 240" and "320:240" as 320x240,
/// "0.5" as 50%, and "10 10 50 40", which is X, Y, W and H, as 50x40+10+10. Empty where they are none.
std::pair<std::string, std::size_t> size_meant(const std::vector<std::string>& places) {
    std::size_t count = 0;
    const auto is_number = [](const std::string& place) {
        return !place.empty() && place.find_first_not_of("0123456789") == std::string::npos;
    };
    while (count < places.size() && is_number(places[places.size() - 1 - count])) {
        ++count;
    }
    const auto at = [&](std::size_t i) { return places[places.size() - count + i]; };
    if (count == 2) {
        return {fmt::format("{}x{}", at(0), at(1)), count};
    }
    if (count == 4) {
        return {fmt::format("{}x{}+{}+{}", at(2), at(3), at(0), at(1)), count};
    }
    std::string word = places.back();
    double share = 0;
    if (read_number(word, share).ptr == word.data() + word.size() && word.find('.') != std::string::npos &&
        share > 0) {
        return {fmt::format("{:.6g}%", share * 100), 1};
    }
    std::replace_if(
        word.begin(), word.end(), [](char c) { return c == ':' || c == ','; }, 'x');
    return {word == places.back() ? "" : word, 1};
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
        const auto [size, count] = size_meant(arguments.places);
        const bool is_size = !size.empty() && is_taken(*command.op, field, size);
        const bool is_aspect = word.size() <= 5 && word.find(':') != word.npos &&
                               find_flag(command.flags, "--aspect") != nullptr; // "16:9"
        const std::string call =
            fmt::format("glproc {}{}", command.name, files_text(arguments, arguments.places.size() - count));
        throw Error(error.code(),
                    what.starts_with(named) ? fmt::format("'{}' {}", word, what.substr(named.size())) : what,
                    is_aspect ? fmt::format("{} --aspect {}", call, word)
                    : is_size ? fmt::format("{} {}", call, size)
                              : error.hint());
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
