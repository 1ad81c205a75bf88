#include "cli/pipe/pipe.hpp"

#include "cli/configure.hpp"
#include "cli/files/array_files.hpp"
#include "cli/files/video_command.hpp"
#include "cli/pipe/video_step.hpp"
#include "cli/pipe/recipe.hpp"
#include "cli/words/thesaurus.hpp"
#include "cli/words/unknown.hpp"
#include "glproc/base/error.hpp"
#include "glproc/kinds/chain.hpp"

#include <algorithm>
#include <sstream>
#include <utility>

#include <fmt/format.h>

namespace glproc::cli {

namespace {

Error usage(const std::string& what, const std::string& hint) {
    return {ErrorCode::usage, what, hint};
}

/// By name, alias or shorthand.
bool names_operation(const std::string& word) {
    const Command* command = find_command(word);
    return command != nullptr && command->op != nullptr && !command->takes_steps;
}

/// The call with its files, up to where operations begin.
std::string call_of(const Command& chain) {
    std::istringstream words(chain.example);
    std::string call = "glproc " + chain.name;
    for (std::string word; words >> word && !names_operation(word);) {
        call += " " + word;
    }
    return call;
}

/// The flags of the step's example; of "blur 3" with the user's own value, where the first of them takes it.
std::string example_flags(const Command& step, const std::vector<std::string>& words) {
    const std::size_t end = step.example.find(' ');
    if (!step.example.starts_with("--") || end == std::string::npos || words.size() != 2) {
        return step.example;
    }
    try {
        step.op->make()->set(step.example.substr(2, end - 2), words[1]);
    } catch (const Error&) {
        return step.example;
    }
    return fmt::format("{} {}{}", step.example.substr(0, end), shell_word(words[1]),
                       step.example.substr(std::min(step.example.find(' ', end + 1), step.example.size())));
}

/// A call with this step alone.
std::string example_of(const Command& chain, const Command& step, const std::vector<std::string>& words) {
    const std::string flags = example_flags(step, words);
    return fmt::format("{} {}{}{}", call_of(chain), step.name, flags.empty() ? "" : " ", flags);
}

Error unknown_step(const std::string& word) {
    const std::string nearest = did_you_mean(word, words_of(pipe_steps()));
    return usage(fmt::format("unknown operation '{}'{}", word,
                             nearest.empty() ? "" : fmt::format(" (did you mean '{}'?)", nearest)),
                 nearest.empty() ? "glproc --help lists the operations" : "");
}

/// The operation that a step names.
const Command& require_step(const Command& chain, const std::string& word) {
    if (const Command* step = find_command(word, steps_in(chain))) {
        return *step;
    }
    if (names_operation(word)) {
        throw usage(fmt::format("{} does not turn an image into an image, as every operation of a {} must", word,
                                chain.name),
                    fmt::format("write the image to a file first: glproc {} --help", word));
    }
    throw unknown_step(word);
}

/// A flag of the command, or of every command.
const Flag* chain_flag(const Command& chain, const std::string& word) {
    const Flag* own = find_any_flag(chain.flags, word);
    return own != nullptr ? own : find_any_flag(global_flags(), word);
}

/// How many words from `at` on are a flag and its value.
std::size_t flag_words(const Flag* flag, const std::vector<std::string>& words, std::size_t at) {
    const bool has_value =
        flag != nullptr && takes_next_word(*flag) && words[at].find('=') == std::string::npos;
    return has_value && at + 1 < words.size() ? 2 : 1;
}

void append(std::vector<std::string>& to, const std::vector<std::string>& words, std::size_t first,
            std::size_t count) {
    const auto begin = words.begin() + static_cast<std::ptrdiff_t>(first);
    to.insert(to.end(), begin, begin + static_cast<std::ptrdiff_t>(count));
}

/// An operation where a file was to stand.
void refuse_early_operation(const Command& chain, const std::vector<std::string>& places) {
    const auto early = std::find_if(places.begin(), places.end(),
                                    [](const std::string& place) { return names_operation(place); });
    if (early != places.end()) {
        throw usage(fmt::format("{} needs IN and OUT before the operation '{}'", chain.name, *early),
                    chain.example_call());
    }
}

/// A flag that is not the command's, before any word that is known as an operation.
void refuse_unknown_flag(const Command& chain, const std::vector<std::string>& places) {
    refuse_early_operation(chain, places);
    if (places.size() > chain.most_files()) {
        throw unknown_step(places.back());
    }
}

/// Where the operations begin.
std::size_t find_steps(const Command& chain, const std::vector<std::string>& words, std::size_t at) {
    std::vector<std::string> places;
    bool is_listed = false; // IN
    bool has_dashes = false;
    bool has_unknown = false; // whose value may look like a file; it is refused by its name later
    while (at < words.size()) {
        if (is_flag(words[at]) && !has_dashes) {
            const Flag* flag = chain_flag(chain, words[at]);
            has_dashes = words[at] == "--";
            is_listed = is_listed || (flag != nullptr && flag->info.name == "files-from");
            if (flag == nullptr && !has_dashes && !std::exchange(has_unknown, true)) {
                refuse_unknown_flag(chain, places);
            }
            at += flag_words(flag, words, at);
            continue;
        }
        if (words[at] == pipe_separator) {
            refuse_early_operation(chain, places);
        }
        if (places.size() + (is_listed ? 1 : 0) >= chain.least_files() &&
            (words[at] == pipe_separator || names_operation(words[at]))) {
            return at;
        }
        places.push_back(words[at++]);
    }
    return at;
}

/// Takes what is not the operation's own out of a step, to the flags of the command.
PipeStep without_chain_flags(const Command& chain, const std::vector<std::string>& words,
                             std::vector<std::string>& flags) {
    PipeStep step;
    const Command* command = words.empty() ? nullptr : find_command(words.front(), steps_in(chain));
    for (std::size_t i = 0; i < words.size();) {
        const Flag* own = command == nullptr ? nullptr : find_any_flag(command->flags, words[i]);
        const Flag* other = own == nullptr && is_flag(words[i]) ? chain_flag(chain, words[i]) : nullptr;
        const std::size_t count = flag_words(own != nullptr ? own : other, words, i);
        const bool is_steps = other == nullptr || (takes_frames(chain) && is_window_flag(words, i));
        append(is_steps ? step.words : flags, words, i, count);
        i += count;
    }
    return step;
}

/// A word that names another operation where this one takes none.
void refuse_missing_separator(const Command& chain, const PipeStep& step, const Command& command) {
    for (std::size_t i = 1; i < step.words.size();
         i += flag_words(find_any_flag(command.flags, step.words[i]), step.words, i)) {
        const std::string& word = step.words[i];
        if (names_operation(word)) {
            throw usage(fmt::format("'{}' is missing before '{}'", pipe_separator, word),
                        fmt::format("{} {} … {} {} …", call_of(chain), command.name, pipe_separator, word));
        }
    }
}

/// Of single images; configure_video_step() has taken those of videos.
void refuse_times(const PipeStep& step, const Command& command) {
    for (std::size_t i = 1; i < step.words.size();
         i += flag_words(find_any_flag(command.flags, step.words[i]), step.words, i)) {
        if (step.words[i] == time_word) {
            throw usage(fmt::format("'{}' gives values at times, which only videos have", time_word),
                        fmt::format("glproc video in.mp4 out.mp4 {} …", command.name));
        }
    }
}

} // namespace

std::unique_ptr<Operation> configure_step(const Command& chain, const PipeStep& step) {
    try {
        const Command& command = require_step(chain, step.words.front());
        refuse_times(step, command);
        refuse_missing_separator(chain, step, command);
        try {
            const Arguments arguments = parse_arguments(step.words, steps_in(chain));
            refuse_array_files(arguments, "a chain");
            std::unique_ptr<Operation> operation = configure(arguments);
            refuse_stack(*command.op, *operation, "a chain");
            return operation;
        } catch (const Error& error) { // whose hint is a call of the operation alone
            throw Error(error.code(), error.what(),
                        error.hint() == command.example_call() ? example_of(chain, command, step.words) : error.hint());
        }
    } catch (const Error& error) {
        throw Error(error.code(), step.origin + error.what(), error.hint());
    }
}

const OpInfo& pipe_info() {
    static const OpInfo info = [] {
        OpInfo pipe;
        pipe.name = pipe_command;
        pipe.summary = "run several operations in one go, on the GPU throughout";
        pipe.example = "in.jpg out.png blur --sigma 2 then resize 800x then unsharp";
        pipe.examples = {{"Prepare a folder for the web in one go",
                          "photos web/ resize --max 40 then unsharp --sigma 0.7 --quality 85"},
                         {"Keep the steps in a file", "photo.jpg out.jpg --recipe look.txt"}};
        pipe.cost = {.llvmpipe = 30};
        pipe.bench.size = "2448x1505";
        pipe.bench.variants = chain_variants();
        return pipe;
    }();
    return info;
}

std::vector<PipeStep> split_steps(const std::vector<std::string>& words, const std::string& origin) {
    std::vector<PipeStep> steps(1);
    for (const std::string& word : words) {
        if (word == pipe_separator) {
            steps.emplace_back();
        } else {
            steps.back().words.push_back(word);
        }
    }
    if (std::any_of(steps.begin(), steps.end(), [](const PipeStep& step) { return step.words.empty(); })) {
        throw usage(fmt::format("{}'{}' stands between two operations", origin, pipe_separator),
                    find_command(pipe_command)->example_call());
    }
    for (PipeStep& step : steps) {
        step.origin = origin;
    }
    return steps;
}

std::size_t find_command_word(const std::vector<std::string>& words) {
    for (std::size_t i = 0; i < words.size();
         i += flag_words(find_flag(global_flags(), words[i]), words, i)) {
        if (!is_flag(words[i])) {
            return i;
        }
    }
    return words.size();
}

namespace {

/// The command, or the one that follows it; and where its word stands.
std::pair<const Command*, std::size_t> find_whole_command(const std::vector<std::string>& words) {
    std::size_t at = find_command_word(words);
    const Command* command = at < words.size() ? find_command(words[at]) : nullptr;
    if (command == nullptr || command->commands.empty()) {
        return {command, at};
    }
    std::size_t next = at + 1;
    while (next < words.size() && is_flag(words[next])) {
        next += flag_words(chain_flag(*command, words[next]), words, next);
    }
    const Command* part = next < words.size() ? find_command(words[next], command->commands) : nullptr;
    return part == nullptr ? std::pair(command, at) : std::pair(part, next);
}

/// Whether a flag between these words names a recipe, on which "then" goes on.
bool names_recipe(const std::vector<std::string>& words, std::size_t from, std::size_t to) {
    return std::any_of(words.begin() + static_cast<std::ptrdiff_t>(from),
                       words.begin() + static_cast<std::ptrdiff_t>(to), [](const std::string& word) {
                           return word == fmt::format("--{}", recipe_flag) ||
                                  word.starts_with(fmt::format("--{}=", recipe_flag));
                       });
}

/// Whether it is for a video, which has frames.
bool takes_video(const Command& chain) {
    return find_flag(chain.flags, fmt::format("--{}", one_frame_flag)) != nullptr;
}

Error second_video(const std::string& last) {
    return usage(fmt::format("{}: OUT follows one IN", last),
                 "--append FILE joins videos, and numbered images become one: glproc video "
                 "'frame-%04d.png' out.mp4");
}

} // namespace

PipeWords split_pipe(const std::vector<std::string>& words) {
    const auto [chain, command] = find_whole_command(words);
    if (chain == nullptr || !chain->takes_steps) {
        return {words, {}};
    }
    const std::size_t first = find_steps(*chain, words, command + 1);
    PipeWords pipe;
    append(pipe.rest, words, 0, command + 1);
    if (first < words.size()) {
        std::vector<std::string> typed;
        const bool goes_on = words[first] == pipe_separator && names_recipe(words, command, first);
        append(typed, words, first + (goes_on ? 1 : 0), words.size() - first - (goes_on ? 1 : 0));
        for (const PipeStep& step : split_steps(typed, "")) {
            pipe.steps.push_back(without_chain_flags(*chain, step.words, pipe.rest));
        }
    }
    append(pipe.rest, words, command + 1, first - command - 1);
    return pipe;
}

std::vector<PipeStep> steps_of(const Arguments& arguments) {
    const Command& chain = *arguments.command;
    std::vector<PipeStep> steps = arguments.steps;
    if (arguments.has(recipe_flag)) {
        std::vector<PipeStep> recipe = read_recipe(arguments.value(recipe_flag));
        steps.insert(steps.begin(), recipe.begin(), recipe.end());
    }
    if (steps.empty() && arguments.places.size() > chain.most_files() && !chain.has_output()) {
        throw unknown_step(arguments.places[chain.most_files()]);
    }
    if (!steps.empty() && takes_video(chain) && arguments.places.size() > chain.most_files()) {
        throw second_video(arguments.places.back());
    }
    if (steps.size() > max_pipe_steps) {
        throw usage(
            fmt::format("{} operations are too many: {} takes at most {}", steps.size(), chain.name, max_pipe_steps),
            "write an image in between");
    }
    return steps;
}

namespace {

/// A call without operations: a part, a still or another codec of a video is wanted, or it is wrong.
std::vector<PipeStep> no_steps(const Arguments& arguments) {
    const Command& chain = *arguments.command;
    refuse_early_operation(chain, arguments.places);
    const std::string last = arguments.places.empty() ? "" : arguments.places.back();
    const bool is_video = takes_video(chain);
    if (is_video && arguments.places.size() <= chain.most_files()) {
        return {{.words = {step_without_effect}}};
    }
    if (is_video && names_video(last)) {
        throw second_video(last);
    }
    throw did_you_mean(last, words_of(pipe_steps())).empty()
        ? usage(fmt::format("{} needs an operation", chain.name), chain.example_call())
        : unknown_step(last);
}

} // namespace

std::vector<PipeStep> steps_to_run(const Arguments& arguments) {
    std::vector<PipeStep> steps = steps_of(arguments);
    return steps.empty() ? no_steps(arguments) : steps;
}

Error with_other_steps(const Error& error, const Command& chain, const std::vector<PipeStep>& steps,
                       std::size_t at) {
    const std::string call = call_of(chain);
    const bool is_typed =
        std::all_of(steps.begin(), steps.end(), [](const PipeStep& step) { return step.origin.empty(); });
    const bool is_example =
        error.hint().starts_with(call + " ") && error.hint().find("…") == std::string::npos;
    if (!is_typed || !is_example) {
        return error;
    }
    std::string hint = call;
    for (std::size_t i = 0; i < steps.size(); ++i) {
        hint += i == 0 ? "" : fmt::format(" {}", pipe_separator);
        if (i == at) {
            hint += error.hint().substr(call.size());
            continue;
        }
        for (const std::string& word : steps[i].words) {
            hint += " " + shell_word(word);
        }
    }
    return {error.code(), error.what(), hint};
}

std::unique_ptr<Operation> configure_pipe(const Arguments& arguments) {
    const Command& chain = *arguments.command;
    const std::vector<PipeStep> steps = steps_to_run(arguments);
    std::vector<std::unique_ptr<Operation>> operations;
    for (const PipeStep& step : steps) {
        try {
            operations.push_back(configure_step(chain, step));
        } catch (const Error& error) {
            throw with_other_steps(error, chain, steps, operations.size());
        }
    }
    return chain_of(std::move(operations));
}

} // namespace glproc::cli
