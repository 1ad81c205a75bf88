// Calls of glproc video, for tests.
#pragma once

#include "cli/glproc_program.hpp"
#include "video/clips.hpp"

#include <string>

namespace glproc::test {

inline ProgramResult run_video(const TempDir& folder, const Words& words) {
    return run_glproc(folder.path(), Words{"video"} + words + Words{"-q"});
}

inline void must_work(const TempDir& folder, const Words& words) {
    const ProgramResult result = run_video(folder, words);
    INFO(result.err);
    REQUIRE(result.status == 0);
}

inline const Words identity{"invert", "then", "invert"};
inline const Words x264{"-c:v", "libx264", "-preset", "ultrafast"};

inline std::string frame_times(const TempDir& folder, const std::string& video) {
    std::string times;
    for (const std::string& line :
         lines_of(ffprobe(folder.path(), {"-select_streams", "v:0", "-show_frames", "-show_entries",
                                          "frame=pts_time", "-of", "compact=p=0:nk=1", video}))) {
        times += line.empty() ? "" : line.substr(0, line.find('|')) + "\n";
    }
    return times;
}

} // namespace glproc::test
