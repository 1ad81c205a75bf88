#include "cli/words/elsewhere.hpp"

#include "cli/words/foreign_calls.hpp"
#include "cli/words/magick_flags.hpp"
#include "cli/words/magick_names.hpp"
#include "cli/words/own_files.hpp"
#include "cli/words/thesaurus.hpp"
#include "glproc/base/error.hpp"
#include "glproc/op/plan.hpp"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <string_view>

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
    if (words.size() > 3 && words.front() == flag && !looks_like_file(words.back())) { // "gaussblur IN OUT 2"
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
std::string call_of_command(const Command& command, const std::string& bare,
                            const std::vector<std::string>& words) {
    const std::string value = value_of(bare, words);
    if (value.empty() || looks_like_file(value)) {
        return command.example_call();
    }
    std::vector<std::string> meant = files_in(words);
    if (meant.size() == 1 && command.op != nullptr && command.op->product == Product::image) {
        meant.emplace_back("out.png");
    }
    meant.insert(meant.begin(), bare);
    meant.push_back(value);
    const std::string call = call_meant(meant);
    return call.starts_with("glproc ") ? call : command.example_call();
}

/// An operation of this command with a value; null where it does not take the value.
std::unique_ptr<Operation> made_with(const Command& command, const std::string& field, const std::string& value) {
    std::unique_ptr<Operation> made = command.op->make();
    try {
        made->set(field, value);
        return made;
    } catch (const Error&) {
        return nullptr;
    }
}

/// Whether this value is enough for a call.
bool is_call(const Command& command, const std::string& field, const std::string& value) {
    try {
        const std::unique_ptr<Operation> made = made_with(command, field, value);
        return made != nullptr && made->plan({.width = 64, .height = 64, .channels = 3, .depth = Depth::u8}).result.width > 0;
    } catch (const Error&) {
        return false;
    }
}

/// "--gaussian" of noise as a call with the flag that has such a value; nothing where that is not enough for
/// a call.
std::string call_with_choice(const Command& command, const std::string& bare,
                             const std::vector<std::string>& words) {
    for (const FieldInfo& field : command.op->fields) {
        const bool has_it =
            std::ranges::any_of(field.choices, [&](const Choice& choice) { return choice.name == bare; });
        const bool is_all = std::ranges::none_of(
            command.op->fields, [&](const FieldInfo& other) { return other.required && &other != &field; });
        if (has_it && is_all && is_call(command, field.name, bare)) {
            return call_with(fmt::format("{} IN{} --{} {}", command.name, command.has_output() ? " OUT" : "",
                                         field.name, bare),
                             files_in(words));
        }
    }
    return {};
}

/// "crop --width 20 --height 10" as "crop 20x10"; nothing where the command takes no such size.
std::string call_with_size(const Command& command, const std::string& bare,
                           const std::vector<std::string>& words) {
    const std::string size = fmt::format("{}x{}", value_of("width", words), value_of("height", words));
    const bool is_side = bare == "width" || bare == "height";
    const auto field = std::ranges::find(command.op->fields, "size", &FieldInfo::name);
    if (!is_side || field == command.op->fields.end() || made_with(command, field->name, size) == nullptr) {
        return {};
    }
    return call_with(fmt::format("{} IN OUT {}{}", command.name, field->is_place ? "" : "--size ", size),
                     files_in(words));
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

std::string known_elsewhere(const std::string& bare, const Command* command, const std::vector<std::string>& words, bool begins_a_name) {
    const std::string of_command = command == nullptr ? bare : fmt::format("{} {}", command->name, bare);
    if (const std::optional<std::string> call = call_for(foreign_flags(), of_command, words)) {
        return *call;
    }
    if (begins_a_name) {
        return {};
    }
    if (command != nullptr && command->op != nullptr) {
        for (const auto& as : {call_with_choice, call_with_size}) {
            if (std::string call = as(*command, bare, words); !call.empty()) {
                return call;
            }
        }
    }
    if (const Command* named = find_command(bare)) {
        return fmt::format("{} is a command: {}", bare, call_of_command(*named, bare, words));
    }
    if (const std::optional<std::string> call =
            call_for(foreign_flags(), bare, words)) { // as other tools mean it
        return *call;
    }
    if (const std::vector<std::string> owners = owners_of(bare); !owners.empty()) {
        return fmt::format("--{} is a flag of {}", bare, listed(owners));
    }
    if (const MagickFlag* flag = find_magick(bare); flag != nullptr && flag->convert == nullptr) {
        return no_equal(*flag, "");
    }
    return call_for(foreign_commands(), bare, words).value_or(std::string());
}

} // namespace glproc::cli
