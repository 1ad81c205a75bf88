#include "cli/arguments.hpp"

#include "glproc/error.hpp"

#include <algorithm>
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

std::string help_hint(const Command* command) {
    return command == nullptr ? "glproc --help lists the commands"
                              : fmt::format("glproc {} --help lists the flags", command->name);
}

/// " (did you mean 'x'?)", or nothing.
std::string suggestion(const std::string& word, const std::string& prefix,
                       const std::vector<std::string>& candidates) {
    const std::string nearest = did_you_mean(word, candidates);
    return nearest.empty() ? std::string() : fmt::format(" (did you mean '{}{}'?)", prefix, nearest);
}

bool is_flag(const std::string& word) {
    return word.size() > 1 && word.front() == '-';
}

Error unknown_flag(const std::string& word, const Command* command) {
    std::vector<std::string> names;
    for (const auto* flags : {command == nullptr ? nullptr : &command->flags, &global_flags()}) {
        if (flags != nullptr) {
            std::transform(flags->begin(), flags->end(), std::back_inserter(names),
                           [](const Flag& flag) { return flag.info.name; });
        }
    }
    const std::string written = word.substr(0, word.find('='));
    const std::size_t dashes = written.find_first_not_of('-');
    const std::string bare = dashes == std::string::npos ? "" : written.substr(dashes);
    const std::string nearest = suggestion(bare, "--", names);
    return usage(fmt::format("unknown flag '{}'{}", written, nearest),
                 nearest.empty() ? help_hint(command) : "");
}

Error unknown_command(const std::string& word) {
    std::vector<std::string> names;
    for (const Command& command : commands()) {
        names.push_back(command.name);
        names.insert(names.end(), command.aliases.begin(), command.aliases.end());
    }
    const std::string nearest = suggestion(word, "", names);
    return usage(fmt::format("unknown command '{}'{}", word, nearest),
                 nearest.empty() ? help_hint(nullptr) : "");
}

/// `flag` with its dashes.
Error needs_value(const std::string& flag) {
    return usage(fmt::format("{} needs a value", flag));
}

void bind(CLI::App& app, const std::vector<Flag>& flags, Bound& bound) {
    for (const Flag& flag : flags) {
        std::string names = "--" + flag.info.name;
        if (!flag.implied.empty()) {
            names += "{" + flag.implied + "}"; // CLI11's way to say what the flag alone stands for
        }
        if (flag.letter != 0) {
            names += std::string(",-") + flag.letter;
        }
        const bool separate_value = flag.takes_value() && flag.implied.empty();
        CLI::Option* option = separate_value ? app.add_option(names) : app.add_flag(names);
        bound.emplace_back(&flag, option->take_last());
    }
}

/// The values of the flags that were given, checked as far as CLI11 lets too much through.
std::map<std::string, std::string> collect(const Bound& bound) {
    std::map<std::string, std::string> values;
    for (const auto& [flag, option] : bound) {
        if (option->count() == 0) {
            continue;
        }
        const std::string value = option->results().back();
        if (!flag->takes_value() && value != "true") {
            throw usage(fmt::format("--{} takes no value", flag->info.name));
        }
        // CLI11 gives a flag the next word whatever it is; -1 may be a value, --other is not.
        if (flag->takes_value() && (value.empty() || value.starts_with("--"))) {
            throw needs_value("--" + flag->info.name);
        }
        values[flag->info.name] = flag->takes_value() ? value : "";
    }
    return values;
}

/// "--flag=" would silently swallow the word behind it.
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

void refuse_leftovers(const CLI::App& app, const Command* command) {
    std::vector<std::string> left = app.remaining(true);
    std::erase(left, "--");
    if (left.empty()) {
        return;
    }
    if (command == nullptr && !is_flag(left.front())) {
        throw unknown_command(left.front());
    }
    const auto flag = std::find_if(left.begin(), left.end(), is_flag);
    if (flag != left.end()) {
        throw unknown_flag(*flag, command);
    }
    throw usage(fmt::format("unexpected argument '{}'", left.front()), command->example_call());
}

} // namespace

Arguments parse_arguments(const std::vector<std::string>& words) {
    refuse_empty_values(words);
    CLI::App app;
    app.set_help_flag();
    app.allow_extras()->fallthrough()->require_subcommand(0, 1);
    Bound bound;
    bind(app, global_flags(), bound);
    for (const Command& command : commands()) {
        CLI::App* sub = app.add_subcommand(command.name);
        for (const std::string& alias : command.aliases) {
            sub->alias(alias);
        }
        bind(*sub, command.flags, bound);
        for (const Place& place : command.places) {
            sub->add_option(place.name);
        }
    }
    try {
        app.parse(std::vector<std::string>(words.rbegin(), words.rend())); // CLI11 wants them last first
    } catch (const CLI::ArgumentMismatch&) {
        // All our options take one value, so the last word is a flag that found none.
        throw needs_value(words.back());
    } catch (const CLI::ParseError& error) {
        throw usage(error.what());
    }

    Arguments arguments;
    const auto chosen = app.get_subcommands();
    if (!chosen.empty()) {
        arguments.command = find_command(chosen.front()->get_name());
        for (const Place& place : arguments.command->places) {
            const auto& given = chosen.front()->get_option(place.name)->results();
            arguments.places.insert(arguments.places.end(), given.begin(), given.end());
        }
    }
    arguments.flags = collect(bound);
    refuse_leftovers(app, arguments.command);
    return arguments;
}

const Command& require_command(const std::string& name) {
    const Command* command = find_command(name);
    if (command == nullptr) {
        throw unknown_command(name);
    }
    return *command;
}

void require_places(const Arguments& arguments) {
    const Command& command = *arguments.command;
    std::vector<std::string> missing;
    for (std::size_t i = arguments.places.size(); i < command.places.size(); ++i) {
        if (command.places[i].required) {
            missing.push_back(command.places[i].name);
        }
    }
    if (!missing.empty()) {
        throw usage(fmt::format("{} needs {}", command.name, fmt::join(missing, " and ")),
                    command.example_call());
    }
}

} // namespace glproc::cli
