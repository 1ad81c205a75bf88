// Damaged videos: threads of a decoder race, and the answer does not.
#include "glproc/base/error.hpp"
#include "video/read/video_reader.hpp"
#include "video/video_program.hpp"

#include <set>

#include <fmt/format.h>

using namespace glproc;
using namespace glproc::test;

namespace {

/// What reading all of it says: the error, or how many frames were damaged.
std::string answer_of(const std::filesystem::path& video, bool keep_going) {
    video::VideoOptions options;
    options.keep_going = keep_going;
    video::VideoReader reader(video.string(), options);
    try {
        int frames = 0;
        while (reader.next()) {
            ++frames;
        }
        return fmt::format("{} frames, {}", frames, reader.damage());
    } catch (const Error& error) {
        return error.what();
    }
}

} // namespace

TEST_CASE("reader: a damaged film has one answer, whichever thread of its decoder is first") {
    const TempDir folder;
    for (const std::string end : {"mp4", "ts"}) {
        ffmpeg(folder.path(), test_picture("320x180", "2") + Words{"-c:v", "libx264", "-bf", "3", "-g", "250",
                                                                   "-pix_fmt", "yuv420p", "whole." + end});
        const std::string bytes = read_text(folder / ("whole." + end));
        CHECK(answer_of(folder / ("whole." + end), false) == "50 frames, ");
        int broken = 0;
        for (const double where : {0.3, 0.45, 0.6, 0.75}) {
            INFO(end << " " << where);
            std::string dented = bytes;
            char& bit = dented.at(static_cast<std::size_t>(where * static_cast<double>(bytes.size())));
            bit = static_cast<char>(bit ^ 0x10);
            const std::filesystem::path video = folder / ("dented." + end);
            write_text(video, dented);
            for (const bool keep_going : {false, true}) {
                std::set<std::string> answers;
                for (int run = 0; run < 20; ++run) {
                    answers.insert(answer_of(video, keep_going));
                }
                CHECK(answers.size() == 1);
                broken += answers.begin()->find("broken") != std::string::npos ? 1 : 0;
            }
        }
        CHECK(broken > 0);
    }
}
