#include "cli/pipe/video_step.hpp"

#include "cli/pipe/pipe.hpp"
#include "glproc/base/error.hpp"
#include "glproc/ops/operations_over_time.hpp"

#include <algorithm>
#include <iterator>
#include <optional>
#include <string_view>
#include <utility>

#include <fmt/format.h>

namespace glproc::cli {

namespace {

constexpr std::string_view dashed = "--frames";
constexpr std::string_view glued = "--frames=";

std::string example_of(const std::string& operation) {
    return fmt::format("glproc video in.mp4 out.mp4 {} --frames 3", operation);
}

const OverTime* over_time_in(const std::string& word) {
    const Command* command = find_command(word, video_steps());
    return command == nullptr ? nullptr : over_time_of(*command->op);
}

bool is_number(std::string_view text) {
    return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

/// The value of --frames at this word; nothing where it is not that flag, or has none.
std::optional<std::string> value_at(const std::vector<std::string>& words, std::size_t at) {
    if (words[at].starts_with(glued)) {
        return words[at].substr(glued.size());
    }
    return words[at] == dashed && at + 1 < words.size() ? std::optional(words[at + 1]) : std::nullopt;
}

/// Takes --frames N out of a step.
std::optional<int> take_window(PipeStep& step) {
    for (std::size_t i = 1; i < step.words.size(); ++i) {
        if (!is_window_flag(step.words, i)) {
            continue;
        }
        const int frames = parse_integer({window_flag, "frames", {1, most_frames}}, *value_at(step.words, i));
        if (frames % 2 == 0) {
            throw Error(ErrorCode::usage,
                        fmt::format("{}--frames {} has no frame in its middle", step.origin, frames),
                        fmt::format("an odd number: --frames {}", frames == most_frames - 1 ? frames - 1 : frames + 1));
        }
        const auto at = step.words.begin() + static_cast<std::ptrdiff_t>(i);
        step.words.erase(at, at + (*at == dashed ? 2 : 1));
        return frames;
    }
    return std::nullopt;
}

} // namespace

bool takes_frames(const Command& chain) {
    return chain.name == "video";
}

const std::vector<Command>& steps_in(const Command& chain) {
    return takes_frames(chain) ? video_steps() : pipe_steps();
}

bool is_window_flag(const std::vector<std::string>& words, std::size_t at) {
    const std::optional<std::string> value = value_at(words, at);
    return value && is_number(*value) && over_time_in(words.front()) != nullptr;
}

VideoStep configure_video_step(const Command& chain, const PipeStep& typed) {
    if (!takes_frames(chain)) {
        return {.operation = configure_step(chain, typed)};
    }
    PipeStep step = typed;
    const OverTime* over_time = step.words.empty() ? nullptr : over_time_in(step.words.front());
    const std::optional<int> frames = take_window(step);
    if (over_time != nullptr && !frames && find_command(step.words.front(), pipe_steps()) == nullptr) {
        throw Error(ErrorCode::usage,
                    fmt::format("{}{} needs --frames in a video: how many frames around each become one",
                                step.origin, step.words.front()),
                    example_of(step.words.front()));
    }
    const Command* command = step.words.empty() ? nullptr : find_command(step.words.front(), video_steps());
    VideoStep made;
    if (command != nullptr) {
        made.changes = take_changes(step, *command);
        made.info = command->op;
    }
    made.operation = configure_step(chain, step);
    for (Change& change : made.changes) {
        change.check(*made.operation);
    }
    if (frames) {
        made.over_time = over_time;
        made.frames = *frames;
    }
    return made;
}

std::vector<VideoStep> configure_video(const Arguments& arguments) {
    const std::vector<PipeStep> steps = steps_to_run(arguments);
    std::vector<VideoStep> made;
    for (const PipeStep& step : steps) {
        try {
            made.push_back(configure_video_step(*arguments.command, step));
        } catch (const Error& error) {
            throw with_other_steps(error, *arguments.command, steps, made.size());
        }
    }
    return made;
}

std::string why_only_videos(const Command* command, const std::string& flag) {
    const bool is_taken = command != nullptr && command->op != nullptr && flag == window_flag &&
                          over_time_of(*command->op) != nullptr;
    return is_taken ? example_of(command->name) : "";
}

} // namespace glproc::cli
