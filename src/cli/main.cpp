// glproc: argv → registry → run.
#include "cli/arguments.hpp"
#include "cli/bench/bench.hpp"
#include "cli/companion.hpp"
#include "cli/compile_all.hpp"
#include "cli/describe_pictures.hpp"
#include "cli/device.hpp"
#include "cli/files/input.hpp"
#include "cli/files/split_command.hpp"
#include "cli/guarded.hpp"
#include "cli/help/describe.hpp"
#include "cli/help/help.hpp"
#include "cli/help/search.hpp"
#include "cli/operate.hpp"
#include "cli/pipe/timing_sheet.hpp"
#include "cli/selftest.hpp"
#include "cli/settings.hpp"
#include "cli/terminal/terminal.hpp"
#include "glproc/base/error.hpp"
#include "job/confined/decoder_process.hpp"
#include "job/stack_names.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

namespace glproc::cli {

namespace {

int without_command(const Arguments& arguments) {
    if (arguments.has("help")) {
        print_product(overview(text_columns(), read_help_detail(arguments)));
        return 0;
    }
    print_error("no command");
    print_stderr(fmt::format("\n{}", first_steps()));
    return static_cast<int>(ErrorCode::usage);
}

/// What `glproc help WORD...` prints: a command, the shared flags, or where the words occur.
std::string answer(const std::vector<std::string>& words, HelpDetail detail) {
    if (words == std::vector<std::string>{"flags"}) {
        return flags_help(text_columns());
    }
    const Command* command = find_command(words.front());
    if (command != nullptr && (words.size() == 1 || !command->commands.empty())) {
        return command_help(require_command(words), text_columns(), detail) +
               videos_text(words.front(), text_columns());
    }
    return search_text(words, text_columns());
}

void explain(const Arguments& arguments) {
    const HelpDetail detail = read_help_detail(arguments);
    const bool asks = arguments.command->name == help_command;
    if (asks && !arguments.places.empty()) {
        print_product(answer(arguments.places, detail));
    } else if (asks && !arguments.has("help")) {
        print_product(overview(text_columns(), detail));
    } else {
        print_product(command_help(*arguments.command, text_columns(), detail));
    }
}

bool reads_picture(const Command& command, const std::string& word) {
    const Flag* flag = find_flag(command.flags, word);
    return flag != nullptr && flag->info.reads_picture;
}

/// Images that are named by their slice, channel or time get their numbers: nobody else knows of axes.
void number_places(Arguments& arguments) {
    const Reading reading = read_reading(arguments);
    const auto number = [&](std::string& word) {
        if (word.find('#') != std::string::npos) {
            word = place_by_number(word, reading);
        }
    };
    std::ranges::for_each(arguments.places, number);
    for (auto& [name, value] : arguments.flags) {
        if (reads_picture(*arguments.command, "--" + name)) {
            number(value);
        }
    }
    for (PipeStep& step : arguments.steps) {
        const Command* command = find_command(step.words.front(), pipe_steps());
        for (std::size_t i = 2; i < step.words.size() && command != nullptr; ++i) {
            if (reads_picture(*command, step.words[i - 1])) {
                number(step.words[i]);
            }
        }
    }
}

int run(const std::vector<std::string>& words) {
    if (!words.empty() && words.front() == decoder_word) {
        return serve_as_decoder(words);
    }
    if (const std::optional<std::string> text = described(words)) {
        print_product(*text);
        return 0;
    }
    Arguments arguments = parse_arguments(words);
    if (arguments.has("version")) {
        print_product(version_text() + "\n");
        return 0;
    }
    if (arguments.command == nullptr) {
        return without_command(arguments);
    }
    if (arguments.has("help") || arguments.command->name == help_command) {
        explain(arguments);
        return 0;
    }
    require_places(arguments);
    limit_this_process(read_budget(arguments));
    number_places(arguments);
    if (!arguments.command->program.empty()) {
        become_companion(arguments, words);
    }
    if (compares_videos(arguments)) {
        become_video_comparison(arguments, words);
    }
    const Settings settings = read_settings(arguments);
    if (settings.timing) {
        watch_end();
    }
    if (arguments.command->measures) {
        bench_operation(arguments, settings);
    } else if (arguments.command->op != nullptr) {
        return operate(arguments, settings);
    } else if (arguments.command->name == split_command) {
        return split_channels(arguments, settings);
    } else if (arguments.command->name == bench_command) {
        bench_all(arguments, settings);
    } else if (arguments.command->name == selftest_command) {
        return self_test(arguments, settings);
    } else if (arguments.has("compile")) {
        if (!arguments.places.empty()) {
            throw Error(ErrorCode::usage,
                        "info --compile takes no files: it compiles the programs of all operations",
                        "glproc info --compile");
        }
        compile_all(settings);
    } else if (!arguments.places.empty()) {
        return describe_pictures(arguments, settings);
    } else {
        show_device(arguments, settings);
    }
    return 0;
}

} // namespace

} // namespace glproc::cli

int main(int argc, char** argv) {
    const std::vector<std::string> words{argv + (argc > 0 ? 1 : 0), argv + argc};
    return glproc::cli::run_guarded(words, [&] { return glproc::cli::run(words); });
}
