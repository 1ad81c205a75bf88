// Videos for tests: made by ffmpeg when first asked for, small and short.
#pragma once

#include "support/catch.hpp"
#include "support/run_program.hpp"
#include "support/temp_dir.hpp"

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <libavformat/version.h>

namespace glproc::test {

using Words = std::vector<std::string>;

inline Words operator+(Words words, const Words& more) {
    words.insert(words.end(), more.begin(), more.end());
    return words;
}

inline std::string tool(const std::string& program, const Words& arguments,
                        const std::filesystem::path& folder) {
    ProgramCall call;
    call.program = program;
    call.arguments = arguments;
    call.folder = folder;
    const ProgramResult result = run_program(call);
    INFO(result.err);
    REQUIRE(result.status == 0);
    return result.out;
}

/// Runs ffmpeg in a folder; must succeed.
inline std::string ffmpeg(const std::filesystem::path& folder, const Words& arguments) {
    return tool("/usr/bin/ffmpeg", Words{"-v", "error", "-nostdin", "-y"} + arguments, folder);
}

inline std::string ffprobe(const std::filesystem::path& folder, const Words& arguments) {
    return tool("/usr/bin/ffprobe", Words{"-v", "error"} + arguments, folder);
}

/// A moving test picture, as arguments of ffmpeg.
inline Words test_picture(const std::string& size = "96x64", const std::string& seconds = "1",
                          const std::string& rate = "25") {
    return {"-f", "lavfi", "-i", "testsrc2=s=" + size + ":r=" + rate + ":d=" + seconds};
}

/// A filter, the last one, that says of frames what they are and leaves their samples alone. As options of
/// the output, -color_trc and -color_primaries have no effect in version 7 of ffmpeg, and -colorspace
/// converts.
inline std::string tagged(const std::string& space, const std::string& range,
                          const std::string& primaries = "auto", const std::string& transfer = "auto") {
    return "setparams=colorspace=" + space + ":range=" + range + ":color_primaries=" + primaries +
           ":color_trc=" + transfer;
}

/// What players must turn clockwise by this, as arguments of ffmpeg. Version 5 knows the first way alone, 7
/// the other.
inline Words turned(const std::string& video, int degrees, const std::string& result) {
#if LIBAVFORMAT_VERSION_MAJOR < 60
    return {"-i", video, "-c", "copy", "-metadata:s:v", "rotate=" + std::to_string(degrees), result};
#else
    return {"-display_rotation", std::to_string(360 - degrees), "-i", video, "-c", "copy", result};
#endif
}

/// The samples of all frames as ffmpeg decodes them, in this format.
inline std::string raw_frames(const std::filesystem::path& folder, const std::string& video,
                              const std::string& format) {
    return ffmpeg(folder, {"-i", video, "-map", "0:v:0", "-fps_mode", "passthrough", "-f", "rawvideo",
                           "-pix_fmt", format, "-"});
}

} // namespace glproc::test
