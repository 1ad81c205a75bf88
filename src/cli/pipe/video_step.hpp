// A step of a video's chain: an operation, and what it does over time.
#pragma once

#include "cli/arguments.hpp"
#include "cli/pipe/changes.hpp"
#include "glproc/op/over_time.hpp"

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace glproc::cli {

inline constexpr const char* window_flag = "frames"; ///< of a step: how many frames it looks at

struct VideoStep {
    std::unique_ptr<Operation> operation;
    const OpInfo* info = nullptr; ///< of the operation
    const OverTime* over_time = nullptr; ///< null where it looks at its own frame alone
    int frames = 1;
    std::vector<Change> changes = {};
};

/// Whether the steps of this command are for frames of a video.
bool takes_frames(const Command& chain);

/// What a chain of this command may consist of.
const std::vector<Command>& steps_in(const Command& chain);

/// Whether words[at] is --frames N of a step that looks at several frames. A.. and A..B are frames of the whole video.
bool is_window_flag(const std::vector<std::string>& words, std::size_t at);

/// Throws Error(usage) as configure_step(), and for windows that the operation does not take.
VideoStep configure_video_step(const Command& chain, const PipeStep& step);

/// All steps of a call. Throws Error as configure_pipe().
std::vector<VideoStep> configure_video(const Arguments& arguments);

/// For single images. Nothing where `flag` is not --frames, or the operation does not take it anywhere.
std::string why_only_videos(const Command* command, const std::string& flag);

} // namespace glproc::cli
