// glproc-video, which glproc starts for `glproc video`, and for `glproc info` and `glproc compare` of videos.
#include "cli/companion.hpp"
#include "video/commands.hpp"

#include <string_view>

int main(int argc, char** argv) {
    using namespace glproc;
    const std::string_view first = argc > 1 ? argv[1] : "";
    if (first == cli::describe_word) {
        return cli::run_companion("info", argc - 1, argv + 1, video::describe_videos);
    }
    if (first == cli::compare_videos_word) {
        return cli::run_companion(cli::compare_command, argc - 1, argv + 1, video::compare_videos);
    }
    return cli::run_companion("video", argc, argv, video::run_video);
}
