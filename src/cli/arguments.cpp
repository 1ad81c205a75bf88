#include "cli/arguments.hpp"

#include "cli/files/input.hpp"
#include "cli/pipe/pipe.hpp"
#include "cli/words/bare_values.hpp"
#include "cli/words/foreign_calls.hpp"
#include "cli/words/own_files.hpp"
#include "cli/words/thesaurus.hpp"
#include "cli/words/unknown.hpp"
#include "glproc/base/error.hpp"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <sstream>
#include <system_error>
#include <utility>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace glproc::cli {

namespace {

using Bound = std::vector<std::pair<const Flag*, CLI::Option*>>;

Error usage(const std::string& what, const std::string& hint = {}) {
    return {ErrorCode::usage, what, hint};
}

/// Of a command that another may follow.
void refuse_unknown_operation(const Arguments& arguments) {
    const Command* command = arguments.command;
    if (command != nullptr && !command->commands.empty() && !arguments.places.empty()) {
        throw unknown_operation(arguments.places.front(), words_of(command->commands));
    }
}

/// `flag` with its dashes.
Error needs_value(const std::string& flag) {
    return usage(fmt::format("{} needs a value", flag));
}

/// CLI11 takes a word behind this mark as it stands. Otherwise it makes two of "[a,b]" where an option may
/// have many values, flags of "-0.5" and of names that begin with a dash.
constexpr char word_guard = '\x01';

/// "--" is left out: whatever comes after it is guarded.
std::vector<std::string> guarded(const std::vector<std::string>& words) {
    std::vector<std::string> result;
    bool only_files = false;
    for (const std::string& word : words) {
        if (word == "--" && !only_files) {
            only_files = true;
            continue;
        }
        const bool stands = only_files || word.starts_with('[') || (word.starts_with('-') && !is_flag(word));
        result.push_back(stands && word != "-" ? word_guard + word : word);
    }
    return result;
}

std::string unguarded(const std::string& word) {
    return word.starts_with(word_guard) ? word.substr(1) : word;
}

/// What other tools call flags, where that is no name of another one: ",--word" for each.
std::map<const Flag*, std::vector<std::string>> synonyms_of(const std::vector<Flag>& flags) {
    std::map<const Flag*, std::vector<std::string>> names;
    for (const FlagSynonym& synonym : flag_synonyms()) {
        const std::string word = fmt::format("--{}", synonym.said);
        if (const Flag* flag = find_any_flag(flags, word)) {
            names[flag].push_back("," + word);
        }
    }
    return names;
}

void bind(CLI::App& app, const std::vector<Flag>& flags, Bound& bound) {
    std::map<const Flag*, std::vector<std::string>> synonyms = synonyms_of(flags);
    for (const Flag& flag : flags) {
        std::string names = "--" + flag.info.name;
        // CLI11's way to say what the flag alone stands for.
        const std::string alone = flag.implied.empty() ? "" : "{" + flag.implied + "}";
        names += alone;
        if (flag.letter != 0) {
            names += std::string(",-") + flag.letter + alone;
        }
        if (!flag.info.alias.empty()) {
            names += ",--" + flag.info.alias;
        }
        for (const std::string& synonym : synonyms[&flag]) {
            names += synonym + alone;
        }
        const bool separate_value = flag.takes_value() && flag.implied.empty();
        CLI::Option* option = separate_value ? app.add_option(names) : app.add_flag(names);
        bound.emplace_back(&flag, flag.repeats ? option->expected(1)->take_all() : option->take_last());
    }
}

/// The flags that were given with their values, checked where CLI11 lets too much through.
void collect(const Bound& bound, Arguments& arguments) {
    for (const auto& [flag, option] : bound) {
        if (option->count() == 0) {
            continue;
        }
        std::vector<std::string> values{flag->repeats ? option->results().begin() : option->results().end() - 1,
                                        option->results().end()};
        std::transform(values.begin(), values.end(), values.begin(), unguarded);
        const std::string value = fmt::format("{}", fmt::join(values, "\n"));
        if (!flag->takes_value() && value != "true") {
            throw usage(fmt::format("--{} takes no value", flag->info.name));
        }
        // CLI11 takes any next word as a flag's value; -1 may be a value, --other is not.
        if (flag->takes_value() && (value.empty() || value.starts_with("--"))) {
            throw needs_value("--" + flag->info.name);
        }
        arguments.flags[flag->info.name] = flag->takes_value() ? value : "";
        arguments.times[flag->info.name] = option->count();
    }
}

/// "--flag=" would silently swallow the next word.
void refuse_empty_values(const std::vector<std::string>& words) {
    for (const std::string& word : words) {
        if (word == "--") {
            return;
        }
        if (word.starts_with("--") && word.find('=') == word.size() - 1) {
            throw needs_value(word.substr(0, word.size() - 1));
        }
    }
}

/// A word after "--" that was meant as a flag, among too many files.
void refuse_flags_after_dashes(const std::vector<std::string>& words, const Command& command) {
    const auto dashes = std::find(words.begin(), words.end(), "--");
    const auto flag = std::find_if(dashes, words.end(), [&](const std::string& word) {
        return word.starts_with("--") &&
               std::any_of(command.flags.begin(), command.flags.end(), [&](const Flag& known) {
                   return word.substr(2, word.find('=') - 2) == known.info.name;
               });
    });
    if (flag != words.end()) {
        throw usage(fmt::format("{} comes after --, where every word is a file name", *flag),
                    "put -- and the files last: glproc " + command.name + " [flags] -- FILES");
    }
}

void refuse_leftovers(const CLI::App& app, const Arguments& arguments,
                      const std::vector<std::string>& words) {
    const Command* command = arguments.command;
    std::vector<std::string> left = app.remaining(true);
    if (command != nullptr && !command->takes_many() && arguments.places.size() > command->places.size()) {
        // CLI11 takes what follows the second of two commands for a place of the first.
        left.push_back(word_guard + arguments.places.front());
    }
    if (command != nullptr && arguments.places.size() > command->places.size()) {
        refuse_flags_after_dashes(words, *command);
    }
    if (left.empty()) {
        return;
    }
    if (command == nullptr && !is_flag(left.front())) {
        throw unknown_command(unguarded(left.front()), words);
    }
    const auto flag = std::find_if(left.begin(), left.end(), is_flag);
    if (flag != left.end()) {
        throw unknown_flag(*flag, command, words);
    }
    throw usage(fmt::format("unexpected argument '{}'", unguarded(left.front())), command->example_call());
}

} // namespace

namespace {

/// Whether a call may be one of this command: it is cheaper to read the call twice than to bind the flags of all commands.
bool may_mean(const std::vector<std::string>& words, const Command& command) {
    return std::any_of(words.begin(), words.end(), [name = command.word(), &command](const std::string& word) {
        return word == name || std::find(command.aliases.begin(), command.aliases.end(), word) != command.aliases.end();
    });
}

void add_commands(CLI::App& app, const std::vector<Command>& commands, const std::vector<std::string>& words,
                  Bound& bound) {
    app.require_subcommand(0, 1);
    for (const Command& command : commands) {
        if (!may_mean(words, command)) {
            continue;
        }
        CLI::App* sub = app.add_subcommand(command.word());
        for (const std::string& alias : command.aliases) {
            sub->alias(alias);
        }
        bind(*sub, command.flags.get(), bound);
        for (const PlacedArgument& place : command.places) {
            CLI::Option* option = sub->add_option(place.name);
            if (place.many) { // it gets those after it, too: inputs() and output() tell them apart
                option->expected(1, CLI::detail::expected_max_vector_size)->allow_extra_args();
                break;
            }
        }
        add_commands(*sub, command.commands, words, bound);
    }
}

/// The command that was given, and the one that follows it.
void choose_command(const CLI::App& app, const std::vector<Command>& among, Arguments& arguments) {
    const auto chosen = app.get_subcommands();
    if (chosen.empty()) {
        return;
    }
    const CLI::App& sub = *chosen.front();
    const auto found = std::find_if(among.begin(), among.end(),
                                    [&](const Command& command) { return command.word() == sub.get_name(); });
    arguments.command = &*found;
    for (const PlacedArgument& place : found->places) {
        const auto& given = sub.get_option(place.name)->results();
        std::transform(given.begin(), given.end(), std::back_inserter(arguments.places), unguarded);
        if (place.many) {
            break;
        }
    }
    choose_command(sub, found->commands, arguments);
}

} // namespace

bool names_folder(const std::string& path) {
    std::error_code missing;
    return path.ends_with('/') || std::filesystem::is_directory(path, missing);
}

bool Arguments::has_output() const {
    if (!command->has_output() || places.empty() || command->needs_output()) {
        return command->has_output() && !places.empty();
    }
    const std::size_t files = places.size() + (has("files-from") ? 1 : 0); // a list stands for IN
    return files == 2 || (files > 2 && names_folder(places.back()));
}

std::vector<std::string> Arguments::inputs() const {
    return {places.begin(), places.end() - (has_output() ? 1 : 0)};
}

std::string Arguments::output() const {
    return has_output() ? places.back() : "";
}

std::optional<std::string> Arguments::format() const {
    const bool is_own = command->op != nullptr && std::any_of(command->op->fields.begin(), command->op->fields.end(),
                                                              [](const FieldInfo& field) { return field.name == "to"; });
    return has("to") && !is_own ? std::optional(value("to")) : std::nullopt;
}

const OpInfo& Arguments::op() const {
    if (command->op->others.empty() || command->measures || command->is_step) {
        return *command->op;
    }
    const std::string out = output();
    if (out.empty()) {
        return making(*command->op, Product::report);
    }
    const std::optional<std::string> format = this->format();
    const bool is_array = format ? format == "npy" || format == "raw" : names_npy(out);
    return making(*command->op, is_array ? Product::array : Product::image);
}

Arguments parse_arguments(const std::vector<std::string>& words) {
    refuse_foreign_call(words);
    PipeWords pipe = split_pipe(words);
    Arguments arguments = parse_arguments(pipe.rest, commands());
    arguments.steps = std::move(pipe.steps);
    return arguments;
}

namespace {

/// The command of a call among these.
const Command* command_in(const std::vector<std::string>& words, const std::vector<Command>& among) {
    const std::size_t at = find_command_word(words);
    return at < words.size() ? find_command(words[at], among) : nullptr;
}

/// A shorthand becomes its command and the flags that it stands for.
std::vector<std::string> without_shorthand(std::vector<std::string> words,
                                           const std::vector<Command>& among) {
    const Command* command = command_in(words, among);
    if (command == nullptr) {
        return words;
    }
    const std::size_t at = find_command_word(words);
    const std::vector<std::string> flags = flags_in_word(*command, words[at]);
    if (flags.empty()) {
        return words;
    }
    const auto again = std::find_if(words.begin(), words.end(), [&](const std::string& word) {
        return find_any_flag(command->flags, word) == find_flag(command->flags, flags.front());
    });
    if (again != words.end()) {
        throw usage(fmt::format("{} is {} {} already", words[at], command->name, fmt::join(flags, " ")),
                    fmt::format("leave out {}, or call {}", *again, command->name));
    }
    const auto after = words.begin() + static_cast<std::ptrdiff_t>(at);
    *after = command->word();
    words.insert(after + 1, flags.begin(), flags.end());
    return words;
}

} // namespace

Arguments parse_arguments(const std::vector<std::string>& typed, const std::vector<Command>& among) {
    refuse_empty_values(typed);
    const Command* typed_command = command_in(typed, among);
    if (typed_command == nullptr || typed_command->commands.empty()) {
        refuse_long_words(typed, typed_command);
    }
    const std::vector<std::string> words = without_shorthand(typed, among);
    CLI::App app;
    app.set_help_flag();
    app.allow_extras()->fallthrough();
    Bound bound;
    bind(app, global_flags(), bound);
    add_commands(app, among, words, bound);
    try {
        std::vector<std::string> last_first = guarded(words);
        std::reverse(last_first.begin(), last_first.end()); // as CLI11 wants them
        app.parse(last_first);
    } catch (const CLI::ArgumentMismatch&) {
        // All our options take one value, so the last word is a flag that found none.
        throw needs_value(words.back());
    } catch (const CLI::ParseError& error) {
        throw usage(error.what());
    }

    Arguments arguments;
    choose_command(app, among, arguments);
    refuse_unknown_operation(arguments);
    collect(bound, arguments);
    refuse_leftovers(app, arguments, words);
    take_bare_values(arguments, typed);
    return arguments;
}

const Command& require_command(const std::vector<std::string>& words) {
    const Command* command = find_command(words.front());
    if (command == nullptr) {
        throw unknown_command(words.front(), {});
    }
    if (words.size() == 1) {
        return *command;
    }
    if (command->commands.empty()) {
        throw usage(fmt::format("unexpected argument '{}'", words[1]), "glproc help " + command->name);
    }
    const Command* part = find_command(words[1], command->commands);
    if (part == nullptr) {
        throw unknown_operation(words[1], words_of(command->commands));
    }
    return *part;
}

void require_places(const Arguments& arguments) {
    const Command& command = *arguments.command;
    std::vector<std::string> missing;
    // A list of files stands for IN.
    const std::size_t listed = arguments.has("files-from") ? 1 : 0;
    for (std::size_t i = arguments.places.size() + listed; i < command.places.size(); ++i) {
        if (command.places[i].required) {
            missing.push_back(command.places[i].name);
        }
    }
    if (!missing.empty()) {
        throw usage(fmt::format("{} needs {}", command.name, fmt::join(missing, " and ")),
                    example_with_files(arguments));
    }
}

} // namespace glproc::cli
