// Commands that are programs of their own, so that glproc starts as fast and needs as little without them:
// `glproc view` starts `glproc-view`, as git does with its commands.
#pragma once

#include "cli/arguments.hpp"
#include "cli/settings.hpp"

#include <functional>
#include <string>
#include <vector>

namespace glproc::cli {

/// Their descriptions. Each takes operations after its files.
std::vector<Command> companions();

/// Becomes the program of such a command: the one beside glproc, else the one in PATH. `words` are those of
/// the call of glproc. Throws Error(usage) where there is none, and for operations that it would refuse.
[[noreturn]] void become_companion(const Arguments& arguments, std::vector<std::string> words);

/// The first word of a call of glproc-video that has it describe videos instead; flags of `info` and files follow.
inline constexpr const char* describe_word = "--info";

/// Has glproc-video describe a file as `info` does, and waits for it. Returns its exit status. Throws Error(input) where it
/// is not installed.
int describe_video(const Arguments& arguments, const std::string& path);
inline constexpr const char* compare_command = "compare"; ///< an operation on images, which videos have, too
/// The first word of a call of glproc-video that has it compare two videos; the words of `glproc compare` follow.
inline constexpr const char* compare_videos_word = "--compare";

inline constexpr const char* video_plot_flag = "plot"; ///< of `compare`, for videos alone

/// Whether a call compares two videos, and what then does that.
bool compares_videos(const Arguments& arguments);
[[noreturn]] void become_video_comparison(const Arguments& arguments, std::vector<std::string> words);

/// The whole main() of such a program: reads the call as glproc would, shows help and version, and leaves the
/// rest to `work`, which returns the exit status.
int run_companion(const std::string& command, int argc, char** argv,
                  const std::function<int(const Arguments&, const Settings&)>& work);

} // namespace glproc::cli
