#include "cli/words/unknown.hpp"

#include "cli/pipe/video_step.hpp"
#include "cli/pipe/pipe.hpp"
#include "cli/words/elsewhere.hpp"
#include "cli/words/ffmpeg.hpp"
#include "cli/words/foreign_calls.hpp"
#include "cli/words/magick.hpp"
#include "cli/words/magick_flags.hpp"
#include "cli/words/magick_names.hpp"
#include "cli/words/own_files.hpp"
#include "cli/words/thesaurus.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstddef>
#include <filesystem>
#include <iterator>
#include <optional>
#include <string_view>
#include <system_error>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace glproc::cli {

namespace {

Error usage(const std::string& what, const std::string& hint = {}) {
    return {ErrorCode::usage, what, hint};
}

std::string help_hint(const Command* command) {
    return command == nullptr ? "glproc --help lists the commands"
                              : fmt::format("glproc {} --help lists the flags", command->name);
}

std::string name_of_call(const std::string& call) {
    constexpr std::string_view program = "glproc ";
    return call.substr(program.size(), call.find(' ', program.size()) - program.size());
}

std::vector<std::string> names_of(const Command* command) {
    std::vector<std::string> names;
    for (const auto* flags : {command == nullptr ? nullptr : &command->flags.get(), &global_flags()}) {
        if (flags != nullptr) {
            for (const Flag& flag : *flags) {
                if (!flag.hidden) {
                    names.push_back(flag.info.name);
                }
            }
        }
    }
    return names;
}

bool begins_a_name(const std::string& word, const std::vector<std::string>& names) {
    return word.size() > 2 && std::any_of(names.begin(), names.end(),
                                          [&](const std::string& name) { return name.starts_with(word); });
}

} // namespace

std::string suggestion(const std::string& word, const std::string& prefix,
                       const std::vector<std::string>& candidates) {
    const std::string nearest = did_you_mean(word, candidates);
    return nearest.empty() ? std::string() : fmt::format(" (did you mean '{}{}'?)", prefix, nearest);
}

std::vector<std::string> words_of(const std::vector<Command>& among) {
    std::vector<std::string> names;
    for (const Command& command : among) {
        names.push_back(command.word());
        names.insert(names.end(), command.aliases.begin(), command.aliases.end());
        std::transform(command.shorthands.begin(), command.shorthands.end(), std::back_inserter(names),
                       [](const Shorthand& shorthand) { return shorthand.word; });
    }
    return names;
}

Error unknown_operation(const std::string& word, const std::vector<std::string>& among) {
    return usage(fmt::format("unknown operation '{}'{}", word, suggestion(word, "", among)),
                 fmt::format("one of: {}", fmt::join(among, ", ")));
}

namespace {

/// "gamma IN OUT 2.2", "transpose IN OUT" as what ImageMagick's flag of this name is here; why there is no
/// such operation where nothing is.
std::optional<std::string> as_magick_flag(const std::string& word, const std::vector<std::string>& words) {
    const MagickFlag* flag = find_magick(word);
    if (flag == nullptr) {
        return std::nullopt;
    }
    const bool has_value = flag->values == 1 && words.size() > 2 && !looks_like_file(words.back());
    if (flag->convert == nullptr) {
        return no_equal(*flag, has_value ? words.back() : "");
    }
    if (flag->values != (has_value ? 1 : 0) || words.size() < 3) {
        return std::nullopt;
    }
    std::vector<std::string> call{"convert"};
    call.insert(call.end(), words.begin() + 1, words.end() - flag->values);
    call.push_back("-" + word);
    call.insert(call.end(), words.end() - flag->values, words.end());
    return magick_call(call);
}

/// The command that a hint names, if it names one.
std::string meant_by(const std::string& hint) {
    const std::size_t at = hint.find("glproc ");
    const bool is_call = at != std::string::npos && hint.find("glproc help ") == std::string::npos;
    return is_call ? fmt::format(" (did you mean '{}'?)", name_of_call(hint.substr(at))) : "";
}

} // namespace

namespace {

/// "--resize=50%" as "-resize" and "50%".
std::vector<std::string> with_one_dash(const std::vector<std::string>& words) {
    std::vector<std::string> result;
    for (const std::string& word : words) {
        if (!word.starts_with("--")) {
            result.push_back(word);
            continue;
        }
        result.push_back(word.substr(1, word.find('=') - 1));
        if (word.find('=') != std::string::npos) {
            result.push_back(word.substr(word.find('=') + 1));
        }
    }
    return result;
}

/// What a call without a command means: as ffmpeg or ImageMagick would take it.
std::string call_for_files(const std::vector<std::string>& words) {
    if (words.size() == 1) {
        return fmt::format("glproc info {}", shell_word(words.front()));
    }
    const std::optional<std::string> call = ffmpeg_call(words);
    return call ? *call : magick_call(with_one_dash(words)).value_or(help_hint(nullptr));
}

/// "gray -i IN -o OUT" as "glproc gray IN OUT"; nothing for another flag.
std::string without_file_flags(const std::string& bare, const std::vector<std::string>& words) {
    using Names = std::array<std::string_view, 3>;
    const auto is_one_of = [](const std::string& name, const Names& names) {
        return std::find(names.begin(), names.end(), name) != names.end();
    };
    constexpr Names outputs{"o", "out", "output"};
    constexpr Names inputs{"i", "in", "input"};
    const std::size_t at = find_command_word(words);
    const Command* command = at < words.size() ? find_command(words[at]) : nullptr;
    const bool writes_none = command != nullptr && !command->has_output();
    if ((!is_one_of(bare, outputs) || writes_none) && !is_one_of(bare, inputs)) {
        return "";
    }
    std::vector<std::string> kept;
    std::string out;
    std::size_t after_in = 0;
    for (std::size_t i = 0; i < words.size(); ++i) {
        const std::string name = words[i].substr(std::min(words[i].find_first_not_of('-'), words[i].size()));
        const bool is_flag = name != words[i];
        if (is_flag && is_one_of(name, outputs) && i + 1 < words.size()) {
            out = words[++i];
        } else if (!is_flag || !is_one_of(name, inputs)) {
            kept.push_back(shell_word(words[i]));
            after_in = after_in == 0 && i > 0 && looks_like_file(words[i]) ? kept.size() : after_in;
        }
    }
    if (!out.empty()) {
        kept.insert(kept.begin() + static_cast<std::ptrdiff_t>(after_in == 0 ? kept.size() : after_in),
                    shell_word(out));
    }
    return fmt::format("glproc {}", fmt::join(kept, " "));
}

} // namespace

Error unknown_command(const std::string& word, const std::vector<std::string>& words) {
    if (looks_like_file(word) && !words.empty() && words.front() == word) {
        return usage(fmt::format("unknown command '{}'", word), call_for_files(words));
    }
    const std::optional<std::string> known = call_for(foreign_commands(), word, words);
    const std::optional<std::string> meant = as_magick_flag(word, words);
    if (meant || known) {
        const std::string& hint = meant ? *meant : *known;
        return usage(fmt::format("unknown command '{}'{}", word, meant_by(hint)), hint);
    }
    if (const MagickFlag* flag = find_magick(word);
        flag != nullptr && !flag->topic.empty()) { // without its value
        return usage(fmt::format("unknown command '{}'", word), fmt::format("glproc help {}", flag->topic));
    }
    const std::string nearest = suggestion(word, "", words_of(commands()));
    return usage(fmt::format("unknown command '{}'{}", word, nearest),
                 nearest.empty() ? help_hint(nullptr) : "");
}

Error unknown_flag(const std::string& word, const Command* command, const std::vector<std::string>& words) {
    const std::vector<std::string> names = names_of(command);
    const std::string written = word.substr(0, word.find('='));
    const std::size_t dashes = written.find_first_not_of('-');
    const std::string bare = dashes == std::string::npos ? "" : written.substr(dashes);
    const bool is_known = std::find(names.begin(), names.end(), bare) != names.end();
    if (command != nullptr && written == "--" + bare && is_known) {
        return usage(fmt::format("{} must come after the command {}", written, command->name),
                     command->example_call());
    }
    if (const std::string call = is_known ? "" : why_only_videos(command, bare); !call.empty()) {
        return usage(fmt::format("{} is for videos: a single image has no frames around it", written), call);
    }
    const std::string what = fmt::format("unknown flag '{}'", written);
    if (!word.starts_with("--")) {
        if (looks_like_file(word)) {
            return usage(what, fmt::format("a file name that begins with - is written ./{}", word));
        }
        for (const std::optional<std::string>& call : {ffmpeg_call(words), magick_call(words)}) {
            if (call) {
                return usage(what, *call);
            }
        }
    }
    if (const std::string call = command == nullptr || is_known ? "" : without_file_flags(bare, words);
        !call.empty()) {
        return usage(what, call);
    }
    const std::string elsewhere =
        is_known ? "" : known_elsewhere(bare, command, words, begins_a_name(bare, names));
    if (!elsewhere.empty()) {
        return usage(what, elsewhere);
    }
    const std::string nearest = suggestion(bare, "--", names);
    return usage(what + nearest, nearest.empty() ? help_hint(command) : "");
}

namespace {

const Flag* find_letter(char letter, const Command* command) {
    const std::string word{'-', letter};
    const Flag* own = command == nullptr ? nullptr : find_flag(command->flags, word);
    return own != nullptr ? own : find_flag(global_flags(), word);
}

/// "-rn", "-j4".
bool is_run_of_letters(const std::string& word, const Command* command) {
    for (std::size_t i = 1; i < word.size(); ++i) {
        const Flag* flag = find_letter(word[i], command);
        if (flag == nullptr) {
            return false;
        }
        if (takes_next_word(*flag)) { // what follows is its value, a number of all that there are
            return i + 1 == word.size() || std::isalpha(static_cast<unsigned char>(word[i + 1])) == 0;
        }
    }
    return true;
}

} // namespace

void refuse_long_words(const std::vector<std::string>& words, const Command* command) {
    for (std::size_t i = 0; i < words.size() && words[i] != "--"; ++i) {
        const std::string& word = words[i];
        const Flag* flag = command == nullptr ? nullptr : find_any_flag(command->flags, word);
        flag = flag == nullptr ? find_any_flag(global_flags(), word) : flag;
        if (flag != nullptr && takes_next_word(*flag) && word.find('=') == std::string::npos) {
            ++i; // a value may look like anything
            continue;
        }
        const bool is_word = word.size() > 2 && (word[0] == '-' || word[0] == '+') &&
                             std::isalpha(static_cast<unsigned char>(word[1])) != 0;
        if (is_word && (word[0] == '-' ? !is_run_of_letters(word, command) : is_magick_flag(word))) {
            throw unknown_flag(word, command, words);
        }
    }
}

} // namespace glproc::cli
