// A short video for tests of the window.
#pragma once

#include "view/headless.hpp"

#include "support/catch.hpp"
#include "support/run_program.hpp"
#include "support/temp_dir.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace glproc::test {

/// Two seconds of grey that becomes brighter from frame to frame.
inline bool make_video(const std::filesystem::path& path, const std::vector<std::string>& more = {},
                      bool is_lossless = true) {
    ProgramCall call{.program = "/usr/bin/ffmpeg",
                     .arguments = {"-v", "error", "-f", "lavfi", "-i",
                                   "color=gray:s=96x64:r=10:d=2,geq=lum='16+T*80':cb=128:cr=128"}};
    call.arguments.insert(call.arguments.end(), more.begin(), more.end());
    if (is_lossless) {
        call.arguments.insert(call.arguments.end(), {"-c:v", "ffv1"});
    }
    call.arguments.push_back(path.string());
    const ProgramResult result = run_program(call);
    INFO(result.err);
    return result.status == 0;
}

} // namespace glproc::test
