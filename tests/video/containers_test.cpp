// glproc video: every codec in every container is either written so that others read it, or refused before
// the first frame.
#include "cli/files/video_command.hpp"
#include "video/video_program.hpp"

#include <cmath>
#include <sstream>

#include <fmt/format.h>

using namespace glproc;
using namespace glproc::test;

namespace {

/// Videos of one frame, two and three: fewer than most encoders look ahead. What malloc gives is filled, so that
/// nothing is zero by chance: x265 makes its first times from memory that it never set.
void check_short_videos(const TempDir& folder, const std::string& codec, const std::string& out) {
    for (int frames = 1; frames <= 3; ++frames) {
        INFO(frames);
        ProgramCall call = glproc_call(folder.path(), {"video", "in.mp4", out, "--codec", codec, "--frames",
                                                       fmt::format("0..{}", frames - 1), "-q"});
        call.environment["MALLOC_PERTURB_"] = "1";
        const ProgramResult result = run_program(call);
        INFO(result.err);
        REQUIRE(result.status == 0);
        std::istringstream times(frame_times(folder, out));
        double first = 0;
        REQUIRE(times >> first);
        CHECK(first >= 0);
        CHECK(first <= 0.08); // some containers begin with what B-frames are put off
        int read = 1;
        for (double time = 0; times >> time; ++read) {
            CHECK(std::abs(time - first - read / 25.0) < 0.0005);
        }
        CHECK(read == frames);
    }
}

} // namespace

TEST_CASE("video: each pair of codec and container is readable or refused, at once") {
    const TempDir folder;
    ffmpeg(folder.path(), test_picture("96x64", "0.4") + x264 + Words{"-pix_fmt", "yuv420p", "in.mp4"});
    std::set<std::string> written;
    for (const cli::VideoContainer& container : cli::video_containers) {
        for (const auto& codec : enum_rows<cli::VideoCodec>) {
            const std::string out = fmt::format("{}.{}", codec.name, container.end);
            INFO(out);
            ProgramCall call = glproc_call(
                folder.path(), {"video", "in.mp4", out, "--codec", std::string(codec.name), "-q"});
            call.patience = std::chrono::seconds(60); // one takes less than 5; SVT-AV1 once waited for ever
            const ProgramResult result = run_program(call);
            CHECK_FALSE(result.timed_out);
            if (result.status != 0) {
                CHECK(result.status == 2);
                CHECK(result.err.starts_with(fmt::format("glproc: error: {}: {} holds no {}\n  hint: write ",
                                                         out, container.end, codec.name)));
                CHECK_FALSE(std::filesystem::exists(folder / out));
                continue;
            }
            const std::string name = codec.value == cli::VideoCodec::h265 ? "hevc" : std::string(codec.name);
            CHECK(ffprobe(folder.path(), {"-count_frames", "-select_streams", "v", "-show_entries",
                                          "stream=codec_name,nb_read_frames", "-of", "csv=p=0", out})
                      .starts_with(name + ",10"));
            CHECK(lines_of(run_glproc(folder.path(), {"info", out}).out).size() > 3);
            written.insert(out);
            check_short_videos(folder, std::string(codec.name), out);
        }
    }
    for (const char* usual : {"h264.mp4", "h264.mkv", "h264.ts", "h265.mov", "vp9.webm", "av1.mp4",
                              "av1.webm", "ffv1.mkv", "ffv1.nut", "prores.mov", "qtrle.mov"}) {
        CHECK(written.contains(usual));
    }
    for (const char* unreadable :
         {"ffv1.ts", "vp9.ts", "av1.ts", "prores.ts", "qtrle.ts", "av1.mov", "vp9.mov"}) {
        CHECK_FALSE(written.contains(unreadable));
    }
}

TEST_CASE("video: what is refused once an encoder is open ends too") {
    const TempDir folder;
    write_text(folder / "words.srt", "1\n00:00:00,100 --> 00:00:00,300\nHello\n");
    ffmpeg(folder.path(), test_picture("96x64", "0.4") +
                              Words{"-f", "lavfi", "-i", "sine=d=0.4", "-i", "words.srt", "-map", "0", "-map",
                                    "1", "-map", "2", "-c:a", "flac", "-c:s", "srt"} +
                              x264 + Words{"in.mkv"});
    ffmpeg(folder.path(),
           {"-i", "in.mkv", "-map", "0:v", "-map", "0:s", "-c:v", "copy", "-c:s", "mov_text", "in.mp4"});
    const auto refused = [&](const Words& words, const std::string& error) {
        INFO(words.at(1));
        const ProgramResult result = run_video(folder, words);
        CHECK_FALSE(result.timed_out);
        CHECK(result.status == 2);
        CHECK(result.err == "glproc: error: " + error + "\n");
        CHECK_FALSE(std::filesystem::exists(folder / words.at(1)));
    };
    const std::string rest = "--only-video leaves out all but the frames";
    refused({"in.mkv", "out.mp4", "--codec", "av1"},
            "out.mp4: mp4 holds no subtitle of subrip\n  hint: write mkv, or " + rest);
    refused({"in.mp4", "out.mkv"},
            "out.mkv: mkv holds no subtitle of mov_text\n  hint: write mp4, or " + rest);
    refused({"in.mkv", "out.ts"}, "out.ts: ts holds no subtitle of subrip\n  hint: write mkv, or " + rest);
    refused({"in.mkv", "out.ts", "--sound", "flac"},
            "out.ts: ts holds no sound of flac\n  hint: --sound aac is what it holds");
}
