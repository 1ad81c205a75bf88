#include "cli/words/elsewhere.hpp"

#include "cli/arguments.hpp"
#include "cli/pipe/pipe.hpp"
#include "cli/words/foreign_calls.hpp"
#include "cli/words/magick_flags.hpp"
#include "cli/words/magick_names.hpp"
#include "cli/words/own_files.hpp"
#include "cli/words/sound_hint.hpp"
#include "cli/words/thesaurus.hpp"
#include "glproc/base/error.hpp"
#include "glproc/op/plan.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstddef>
#include <memory>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace glproc::cli {

namespace {

/// "GaussianBlur", "gaussian_blur" and "gaussian-blur" are one word.
std::string plain(std::string_view word) {
    std::string text = lower(std::string(word));
    std::erase_if(text, [](char c) { return c == '-' || c == '_'; });
    return text;
}

/// What stands behind a flag in the call; "montage geometry" is the flag of a command.
std::string value_of(std::string_view flag, const std::vector<std::string>& words) {
    const std::string_view bare = flag.substr(flag.find(' ') + 1);
    const bool ends_with_value = words.size() > 3 && !looks_like_file(words.back()) && !is_flag(words.back());
    if (ends_with_value && words.front() == flag) { // "gaussblur IN OUT 2"
        return words.back();
    }
    for (std::size_t i = 1; i < words.size(); ++i) {
        const std::string_view name =
            std::string_view(words[i]).substr(std::min(words[i].find_first_not_of('-'), words[i].size()));
        if (name == bare && i + 1 < words.size()) {
            return words[i + 1];
        }
        if (name.starts_with(bare) && name.substr(bare.size()).starts_with('=')) {
            return std::string(name.substr(bare.size() + 1));
        }
    }
    return {};
}

/// Whether the value stands in the call as one of its words.
bool is_word_of(const std::string& call, const std::string& value) {
    return fmt::format(" {} ", call).find(fmt::format(" {} ", value)) != std::string::npos;
}

/// "a, b and c".
std::string listed(std::vector<std::string> names) {
    constexpr std::size_t most = 4;
    if (names.size() > most) {
        names.resize(most - 1);
        names.emplace_back("others");
    }
    const std::string last = names.back();
    names.pop_back();
    return names.empty() ? last : fmt::format("{} and {}", fmt::join(names, ", "), last);
}

/// The commands that have this flag.
std::vector<std::string> owners_of(const std::string& bare) {
    std::vector<std::string> owners;
    for (const Command& command : commands()) {
        if (find_flag(command.flags, "--" + bare) != nullptr) {
            owners.push_back(command.name);
        }
    }
    return owners;
}

/// "--resize 50%" as a call of the command with the files and the value of this one, or its example.
std::string call_of_command(const Command& command, const std::string& bare, const std::vector<std::string>& words) {
    const std::string otherwise = command.name == bare ? command.example_call() : fmt::format("glproc {} --help", bare); // an alias
    const std::string value = value_of(bare, words);
    if (value.empty() || looks_like_file(value)) {
        return otherwise;
    }
    std::vector<std::string> meant = files_in(words);
    const bool joins = command.op != nullptr && command.op->joins;
    if (meant.size() == 1 && command.op != nullptr && command.op->product == Product::image) {
        meant.emplace_back("out.png");
    } else if (meant.size() > 2 && !joins && !names_folder(meant.back())) {
        meant = {meant.front(), meant.back()};
    }
    meant.insert(meant.begin(), bare);
    meant.push_back(value);
    const std::string call = call_meant(meant);
    return call.starts_with("glproc ") && would_run(call) ? call : otherwise;
}

/// The user's call with other words in place of the first of these flags, and without all of them and their values.
std::string call_with_instead(const std::vector<std::string>& words, const std::vector<std::string>& flags,
                              const std::vector<std::string>& instead) {
    std::string call = "glproc";
    bool is_told = false;
    for (std::size_t i = 0; i < words.size(); ++i) {
        const std::string name = words[i].substr(std::min(words[i].find_first_not_of('-'), words[i].size()));
        if (name == words[i] || std::ranges::find(flags, name.substr(0, name.find('='))) == flags.end()) {
            call += " " + shell_word(words[i]);
            continue;
        }
        for (const std::string& word : std::exchange(is_told, true) ? std::vector<std::string>{} : instead) {
            call += " " + shell_word(word);
        }
        const bool has_value = name.find('=') == std::string::npos && i + 1 < words.size() && !words[i + 1].empty() &&
                               std::isdigit(static_cast<unsigned char>(words[i + 1].front())) != 0;
        i += has_value && !looks_like_file(words[i + 1]) ? 1 : 0;
    }
    return call;
}

/// Whether the operation can do with this value alone.
bool is_enough(const Command& command, const FieldInfo& field, const std::string& value) {
    try {
        const std::unique_ptr<Operation> made = command.op->make();
        made->set(field.name, value);
        return !field.required ||
               made->plan({.width = 64, .height = 64, .channels = 3, .depth = Depth::u8}).shape.result.width >
                   0;
    } catch (const Error&) {
        return false;
    }
}

/// What stands for flags of other tools: the whole call, or of a step the flag alone; nothing where that would be refused.
std::string with_flag_instead(const Command& command, const std::vector<std::string>& words, const std::vector<std::string>& flags,
                              const std::string& name, const std::string& value) {
    if (command.is_step) {
        return fmt::format("{} --{} {}", command.name, name, value);
    }
    std::string call = call_with_instead(words, flags, {"--" + name, value});
    return would_run(call) ? call : std::string();
}

/// "--gaussian" of noise as the flag that has such a value; nothing where that is not enough for a call.
std::string call_with_choice(const Command& command, const std::string& bare, const std::vector<std::string>& words) {
    for (const FieldInfo& field : command.op->fields) {
        const bool has_it = std::ranges::any_of(field.choices, [&](const Choice& choice) { return choice.name == bare; });
        const bool is_told = std::ranges::any_of(words, [](const std::string& word) { return word.starts_with("--radius"); });
        if (has_it && field.name != "method" && bare != "auto" && (is_told || is_enough(command, field, bare))) {
            return with_flag_instead(command, words, {bare}, field.name, bare);
        }
    }
    return {};
}

/// "crop --width 20 --height 10" as "crop --size 20x10"; nothing where the command takes no such size.
std::string call_with_size(const Command& command, const std::string& bare, const std::vector<std::string>& words) {
    if (std::ranges::find(command.op->fields, "size", &FieldInfo::name) == command.op->fields.end() ||
        (bare != "width" && bare != "height")) {
        return {};
    }
    const auto pixels = [&](const char* name) {
        const std::string value = value_of(name, words);
        return value.ends_with("px") ? value.substr(0, value.size() - 2) : value;
    };
    std::string size = fmt::format("{}x{}", pixels("width"), pixels("height"));
    if (const std::string x = pixels("x"), y = pixels("y"); !x.empty() && !y.empty()) {
        size += fmt::format("+{}+{}", x, y);
    }
    return with_flag_instead(command, words, {"width", "height", "x", "y"}, "size", size);
}

/// A call of an operation on two files as a step of the user's call: video takes no single image.
std::string as_step(const std::string& hint, const Command& command, const std::vector<std::string>& words) {
    const std::vector<std::string> files = files_in(words);
    const std::size_t begin = hint.find("glproc ");
    if (!command.takes_steps || files.size() != 2 || begin == std::string::npos) {
        return hint;
    }
    const std::string call = hint.substr(begin + 7);
    const std::string name = call.substr(0, call.find(' '));
    const std::string places = fmt::format(" {} {}", shell_word(files[0]), shell_word(files[1]));
    if (find_operation(name) == nullptr || !call.starts_with(name + places)) {
        return hint;
    }
    return fmt::format("{}glproc {}{} {}", hint.substr(0, begin), command.name, places, name) + call.substr(name.size() + places.size());
}

/// Whether a word of resizing says anything of this command.
bool may_resize(const Command* command) {
    constexpr std::array<std::string_view, 3> all{"resize", "convert", "thumbnail"};
    return command == nullptr || command->op == nullptr || command->takes_steps || std::ranges::find(all, command->name) != all.end();
}

/// Whether the one may be meant where the other was called: who wants an image wants no table.
bool may_be_meant(const Command& named, const Command* command) {
    return command == nullptr || !command->has_output() || named.has_output();
}

} // namespace

std::optional<std::string> call_for(const std::vector<ForeignWord>& among, std::string_view word,
                                    const std::vector<std::string>& words) {
    const auto found = std::find_if(among.begin(), among.end(), [&](const ForeignWord& foreign) {
        return plain(foreign.word) == plain(word);
    });
    if (found == among.end()) {
        return std::nullopt;
    }
    const std::string value = value_of(word, words);
    const std::string call = call_with(found->call, files_in(words), value);
    if (call.starts_with("glproc help ")) {
        return fmt::format("{} has no equal in glproc; see: {}", word, call);
    }
    const bool has_own = value.empty() || looks_like_file(value) || is_word_of(call, value) ||
                         found->call.find_first_of("{") != std::string_view::npos ||
                         found->call.find_first_of("0123456789") == std::string_view::npos;
    return has_own ? call : fmt::format("{} is not used in this example: {}", value, call);
}

namespace {

/// As a call of one image, or of the same kind as this one.
std::string known_as_call(const std::string& bare, const Command* command, const std::vector<std::string>& words) {
    if (command != nullptr && command->op != nullptr) {
        for (const auto& as : {call_with_choice, call_with_size}) {
            if (std::string call = as(*command, bare, words); !call.empty()) {
                return call;
            }
        }
    }
    if (const Command* named = find_command(bare); named != nullptr && may_be_meant(*named, command)) {
        return fmt::format("{} is a command: {}", bare, call_of_command(*named, bare, words));
    }
    if (std::optional<std::string> call = call_for(foreign_flags(), bare, words); // as other tools mean it
        call && (may_resize(command) || call->find("glproc resize ") == std::string::npos)) {
        return *call;
    }
    if (const std::vector<std::string> owners = owners_of(bare); !owners.empty()) {
        return fmt::format("--{} is a flag of {}", bare, listed(owners));
    }
    if (const MagickFlag* flag = find_magick(bare); flag != nullptr && flag->convert == nullptr) {
        return no_equal(*flag, "");
    }
    const std::string call = call_for(foreign_commands(), bare, words).value_or(std::string());
    const Command* named = call.starts_with("glproc ") ? find_command(call.substr(7, call.find(' ', 7) - 7)) : nullptr;
    return named != nullptr && !may_be_meant(*named, command) ? std::string() : call;
}

} // namespace

std::string known_elsewhere(const std::string& bare, const Command* command, const std::vector<std::string>& words, bool begins_a_name) {
    const std::string of_command = command == nullptr ? bare : fmt::format("{} {}", command->name, bare);
    if (const std::optional<std::string> call = call_for(foreign_flags(), of_command, words)) {
        return *call;
    }
    const std::string known = begins_a_name ? std::string() : known_as_call(bare, command, words);
    return command == nullptr ? known : as_step(known, *command, words);
}

} // namespace glproc::cli
