#include "cli/help/complete.hpp"

#include "cli/commands.hpp"
#include "cli/pipe/video_step.hpp"
#include "cli/pipe/pipe.hpp"
#include "cli/settings.hpp"

#include <algorithm>
#include <cctype>
#include <iterator>
#include <span>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace glproc::cli {

namespace {

using Words = std::span<const std::string>;

const std::string files = ":files\n";

std::string without_bracket(const std::string& text) {
    return text.substr(0, text.find('['));
}

/// Whether a part of "auto|gpu|cpu|all|N|NAME" is to be typed as it stands.
bool is_literal(const std::string& part) {
    return !part.empty() &&
           std::none_of(part.begin(), part.end(), [](unsigned char c) { return std::isupper(c) != 0; });
}

bool names_file(const FieldInfo& info) {
    return info.names_picture || info.names_array || info.reads_picture || info.value == "FILE" || info.value == "LIST" ||
           info.value.ends_with("|FILE");
}

/// The values of a flag that have names.
std::vector<Choice> named_values(const FieldInfo& info) {
    if (!info.choices.empty()) {
        return info.choices;
    }
    const std::string& text = info.range.find('|') == std::string::npos ? info.value : info.range;
    std::vector<Choice> values;
    for (std::size_t at = 0; text.find('|') != std::string::npos && at <= text.size();) {
        const std::size_t end = std::min(text.find('|', at), text.size());
        if (const std::string part = without_bracket(text.substr(at, end - at)); is_literal(part)) {
            values.push_back({part, ""});
        }
        at = end + 1;
    }
    return values;
}

std::string lines(const std::vector<Choice>& candidates, const std::string& prefix,
                  const std::string& typed) {
    std::string text;
    for (const Choice& candidate : candidates) {
        const std::string word = prefix + candidate.name;
        if (word.starts_with(typed)) {
            text += candidate.when.empty() ? word + "\n" : fmt::format("{}\t{}\n", word, candidate.when);
        }
    }
    return text;
}

std::vector<Flag> flags_of(const Command* command) {
    std::vector<Flag> flags = command == nullptr ? std::vector<Flag>{} : command->flags;
    flags.insert(flags.end(), global_flags().begin(), global_flags().end());
    std::erase_if(flags, [](const Flag& flag) { return flag.hidden; });
    return flags;
}

bool takes_next_word(const Flag* flag) {
    return flag != nullptr && cli::takes_next_word(*flag);
}

std::vector<Choice> names_of(const std::vector<Command>& among) {
    std::vector<Choice> names;
    for (const Command& command : among) {
        names.push_back({command.word(), command.summary});
        for (const std::string& alias : command.aliases) {
            names.push_back({alias, "same as " + command.word()});
        }
        for (const Shorthand& shorthand : command.shorthands) {
            names.push_back({shorthand.word,
                             fmt::format("same as {} {}", command.word(), fmt::join(shorthand.flags, " "))});
        }
    }
    return names;
}

/// The command that the words before the cursor chose, and how many words are then left for its places.
struct Chosen {
    const Command* command = nullptr;
    std::size_t places = 0;
    const Command* chain = nullptr; ///< that `command` is a step of
};

bool takes_steps(const Command* command) {
    return command != nullptr && command->takes_steps;
}

bool awaits_step(const Chosen& chosen) {
    return takes_steps(chosen.command) && chosen.places >= chosen.command->most_files();
}

/// Within a chain: an operation, or what ends it; elsewhere and otherwise a place.
Chosen after_word(const Chosen& chosen, const std::string& word) {
    if (chosen.chain != nullptr && word == pipe_separator) {
        return {chosen.chain, chosen.chain->most_files()};
    }
    const bool may_be_step = takes_steps(chosen.command) && chosen.places >= chosen.command->least_files();
    const Command* step = may_be_step ? find_command(word, steps_in(*chosen.command)) : nullptr;
    return step != nullptr ? Chosen{step, 0, chosen.command}
                           : Chosen{chosen.command, chosen.places + 1, chosen.chain};
}

Chosen chosen(Words before) {
    Chosen result;
    const std::vector<Command>* among = &commands();
    for (std::size_t i = 0; i < before.size(); ++i) {
        if (before[i].starts_with("-") && before[i] != "-") {
            i += takes_next_word(find_flag(flags_of(result.command), before[i])) ? 1 : 0;
            continue;
        }
        const Command* found = find_command(before[i], *among);
        if (found != nullptr && result.places == 0) {
            result.command = found;
            among = &found->commands.get();
        } else {
            result = after_word(result, before[i]);
        }
    }
    return result;
}

std::string flag_value(const Flag& flag, const std::string& prefix, const std::string& typed) {
    const std::string named = lines(named_values(flag.info), prefix, typed);
    return named.empty() && names_file(flag.info) ? files : named;
}

/// A flag whose name is being typed, or after "=" its value.
std::string flag_word(const std::vector<Flag>& flags, const std::string& typed) {
    const std::size_t equals = typed.find('=');
    if (equals != std::string::npos) {
        const Flag* flag = find_flag(flags, typed.substr(0, equals));
        return flag == nullptr ? "" : flag_value(*flag, typed.substr(0, equals + 1), typed);
    }
    std::vector<Choice> names;
    std::transform(flags.begin(), flags.end(), std::back_inserter(names), [](const Flag& flag) {
        return Choice{fmt::format("--{}", flag.info.name), flag.info.help};
    });
    return lines(names, "", typed);
}

/// A word that is known by its place: a command, an operation, or a file.
std::string place_word(const Chosen& chosen, const std::string& typed) {
    const Command* command = chosen.command;
    if (command == nullptr || (command->name == help_command && chosen.places == 0)) {
        return lines(names_of(commands()), "", typed);
    }
    if (!command->commands.empty()) {
        return lines(names_of(command->commands), "", typed);
    }
    if (awaits_step(chosen)) {
        return lines(names_of(steps_in(*command)), "", typed);
    }
    if (chosen.chain != nullptr) {
        return lines({{pipe_separator, "another operation on the result"}}, "", typed);
    }
    return chosen.places < command->places.size() || command->takes_many() ? files : "";
}

} // namespace

std::string completions(const std::vector<std::string>& words) {
    Words before(words.data(), words.size() - 1);
    const std::string& typed = words.back();
    const Chosen command = chosen(before);
    const std::vector<Flag> flags = flags_of(command.command);
    // bash takes "--flag=value" apart into three words.
    const bool after_equals = typed == "=" || (!before.empty() && before.back() == "=");
    if (after_equals && !before.empty()) {
        const std::string& name = typed == "="        ? before.back()
                                  : before.size() > 1 ? before[before.size() - 2]
                                                      : typed;
        const Flag* flag = find_flag(flags, name);
        return flag == nullptr ? "" : flag_value(*flag, "", typed == "=" ? "" : typed);
    }
    if (!before.empty()) {
        const Flag* flag = find_flag(flags, before.back());
        if (takes_next_word(flag)) {
            return flag_value(*flag, "", typed);
        }
    }
    return typed.starts_with("-") ? flag_word(flags, typed) : place_word(command, typed);
}

} // namespace glproc::cli
