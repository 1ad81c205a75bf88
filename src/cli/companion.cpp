#include "cli/companion.hpp"

#include "cli/files/file_flags.hpp"
#include "cli/files/video_command.hpp"
#include "cli/files/input.hpp"
#include "cli/guarded.hpp"
#include "cli/help/help.hpp"
#include "cli/pipe/video_step.hpp"
#include "cli/pipe/pipe.hpp"
#include "cli/terminal/terminal.hpp"
#include "glproc/base/error.hpp"
#include "glproc/base/own_place.hpp"
#include "job/confined/decoder_process.hpp"

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <iterator>
#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

namespace glproc::cli {

namespace {

/// Throws Error(usage) for operations that the program would refuse.
void check_steps(const Arguments& arguments) {
    // The recipe may be stdin, which the program is to read.
    const std::vector<PipeStep> steps = arguments.has(recipe_flag) ? arguments.steps : steps_of(arguments);
    for (std::size_t at = 0; at < steps.size(); ++at) {
        try {
            configure_video_step(*arguments.command, steps[at]);
        } catch (const Error& error) {
            throw with_other_steps(error, *arguments.command, steps, at);
        }
    }
}

} // namespace

std::vector<Command> companions() {
    return {
        video_command(),
        {.name = "view",
         .aliases = {"display"},
         .summary = "open a window with a histogram and a control per parameter",
         .example = "photo.jpg blur --sigma 2 then unsharp",
         .examples = {{"Try out a chain of operations", "photo.jpg blur --sigma 2 then unsharp"}},
         .places = {{"IN", "image or video to open, or a folder, whose first image opens", false}},
         .flags = {with_value(
                       "screenshot", "FILE",
                       "save a screenshot of the window, without a display, and quit; with --timing also "
                       "print how long a moved slider takes to show"),
                   with_value("size", "WxH", "size of the screenshot, 1280x800 unless given")},
         .program = "glproc-view"},
    };
}

namespace {

std::vector<char*> pointers_to(std::vector<std::string>& words) {
    std::vector<char*> argv;
    std::transform(words.begin(), words.end(), std::back_inserter(argv),
                   [](std::string& word) { return word.data(); });
    argv.push_back(nullptr);
    return argv;
}

/// No archive of Debian has it: it is built beside glproc, where its libraries are, or comes as a package of ours.
std::string how_to_get(const std::string& program) {
    return fmt::format("build it with scripts/build, or install its package, {}", program);
}

/// `words` without the program.
[[noreturn]] void become(const Command& command, const std::string& program, std::vector<std::string> words) {
    words.insert(words.begin(), program);
    const std::vector<char*> argv = pointers_to(words);
    if (const std::filesystem::path place = find_program(program); !place.empty()) {
        ::execv(place.c_str(), argv.data());
    }
    const bool is_all_of_it = command.program == program;
    throw Error(ErrorCode::usage,
                fmt::format("{} {} a program of its own, {}, which is not installed", command.name,
                            is_all_of_it ? "is" : "of videos needs", program),
                how_to_get(program));
}

} // namespace

int describe_video(const Arguments& arguments, const std::string& path) {
    const std::string program = video_command().program;
    std::vector<std::string> words{program, describe_word};
    if (arguments.has("json")) {
        words.emplace_back("--json");
    }
    words.insert(words.end(), {"--", path});
    const std::vector<char*> argv = pointers_to(words);
    const std::filesystem::path place = find_program(program);
    pid_t child = 0;
    if (!place.empty() && ::posix_spawn(&child, place.c_str(), nullptr, nullptr, argv.data(), environ) == 0) {
        int status = 0;
        while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
        }
        return WIFEXITED(status) ? WEXITSTATUS(status) : static_cast<int>(ErrorCode::input);
    }
    throw Error(ErrorCode::input, path + ": a video, which glproc-video describes; it is not installed",
                how_to_get(program));
}

void become_companion(const Arguments& arguments, std::vector<std::string> words) {
    check_steps(arguments);
    words.erase(words.begin() + static_cast<std::ptrdiff_t>(find_command_word(words)));
    become(*arguments.command, arguments.command->program, std::move(words));
}

bool compares_videos(const Arguments& arguments) {
    if (arguments.command->name != compare_command) {
        return false;
    }
    const std::vector<std::string> inputs = arguments.inputs();
    std::error_code missing;
    const bool are_videos = inputs.size() == 1 && std::filesystem::is_regular_file(inputs.front(), missing) &&
                           begins_as_video(peek_input(inputs.front()));
    if (!are_videos && arguments.has(video_plot_flag)) {
        throw Error(ErrorCode::usage, fmt::format("--{} is for videos", video_plot_flag), "--map shows where two images differ");
    }
    return are_videos;
}

void become_video_comparison(const Arguments& arguments, std::vector<std::string> words) {
    words.erase(words.begin() + static_cast<std::ptrdiff_t>(find_command_word(words)));
    words.insert(words.begin(), compare_videos_word);
    become(*arguments.command, video_command().program, std::move(words));
}

int run_companion(const std::string& command, int argc, char** argv,
                  const std::function<int(const Arguments&, const Settings&)>& work) {
    std::vector<std::string> words{command};
    words.insert(words.end(), argv + (argc > 0 ? 1 : 0), argv + argc);
    return run_guarded(words, [&] {
        if (argc > 1 && argv[1] == decoder_word) { // of a picture that goes with the video
            return serve_as_decoder({argv + 1, argv + argc});
        }
        const Arguments arguments = parse_arguments(words);
        if (arguments.has("version")) {
            print_product(version_text() + "\n");
            return 0;
        }
        if (arguments.has("help")) {
            print_product(command_help(*arguments.command, text_columns(), read_help_detail(arguments)));
            return 0;
        }
        require_places(arguments);
        return work(arguments, read_settings(arguments));
    });
}

} // namespace glproc::cli
