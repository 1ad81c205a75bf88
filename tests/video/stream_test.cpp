// glproc video: stdin and stdout, damage that is passed over, and what `info` says.
#include "video/video_program.hpp"

#include <fmt/format.h>

using namespace glproc;
using namespace glproc::test;

namespace {

void make_video(const TempDir& folder, const std::string& name, const std::string& seconds = "2", const Words& more = {}) {
    ffmpeg(folder.path(), test_picture("96x64", seconds) + Words{"-f", "lavfi", "-i", "sine=440:d=" + seconds} + x264 +
                              Words{"-pix_fmt", "yuv420p", "-c:a", "aac"} + more + Words{name});
}

/// A call of glproc video with a file for stdin; what it writes to stdout goes into another.
ProgramResult through_pipe(const TempDir& folder, const std::string& in, const Words& words, const std::string& out) {
    ProgramCall call = glproc_call(folder.path(), Words{"video"} + words + Words{"-q"});
    call.input = in.empty() ? "" : read_text(folder / in);
    const ProgramResult result = run_program(call);
    write_text(folder / out, result.out);
    return result;
}

} // namespace

TEST_CASE("video: stdin and stdout carry videos with their sound") {
    const TempDir folder;
    make_video(folder, "in.mkv");
    for (const std::string format : {"mkv", "nut", "ts", "mp4"}) {
        INFO(format);
        const ProgramResult result = through_pipe(folder, "in.mkv", {"-", "-", "--format", format, "invert"}, "piped." + format);
        INFO(result.err);
        REQUIRE(result.status == 0);
        must_work(folder, {"in.mkv", "file." + format, "invert"});
        CHECK(lines_of(frame_times(folder, "piped." + format)).size() == 50);
        CHECK(raw_frames(folder.path(), "piped." + format, "yuv420p") == raw_frames(folder.path(), "file." + format, "yuv420p"));
        CHECK(ffprobe(folder.path(), {"-select_streams", "a", "-show_entries", "stream=codec_name", "-of", "csv=p=0", "piped." + format})
                  .starts_with("aac"));
    }
    REQUIRE(through_pipe(folder, "in.mkv", {"-", "-", "convert"}, "same.mkv").status == 0);
    CHECK(read_text(folder / "same.mkv").starts_with("\x1A\x45\xDF\xA3"));
    REQUIRE(through_pipe(folder, "in.mkv", {"-", "still.png", "--frame", "7"}, "nothing").status == 0);
    must_work(folder, {"in.mkv", "expected.png", "--frame", "7"});
    CHECK(same_pixels(load(folder / "still.png"), load(folder / "expected.png")));
    REQUIRE(through_pipe(folder, "in.mkv", {"-", "still.png", "--frame", "0.28s"}, "nothing").status == 0);
    CHECK(same_pixels(load(folder / "still.png"), load(folder / "expected.png")));
    const ProgramResult part = through_pipe(folder, "in.mkv", {"-", "out.mkv", "--frames", "3..5"}, "nothing");
    CHECK(part.status == 3);
    CHECK(part.err.starts_with("glproc: error: stdin: frames are found by number or time in a file"));
    CHECK(through_pipe(folder, "", {"-", "out.mkv"}, "nothing").status == 3);
    ffmpeg(folder.path(), test_picture("96x64", "0.2") + Words{"in.gif"});
    const ProgramResult unnamed = run_video(folder, {"in.gif", "-"});
    CHECK(unnamed.status == 2);
    CHECK(unnamed.err == "glproc: error: stdout needs --format, as no name says the container\n  hint: --format mkv, for example\n");
    CHECK(run_video(folder, {"in.mkv", "out.film", "--format", "xyz"}).err.starts_with("glproc: error: out.film: unknown video format '.xyz'"));
    must_work(folder, {"in.mkv", "out.film", "--format", "mkv"});
}

TEST_CASE("video: --keep-going conceals damage as ffmpeg does, and counts it") {
    const TempDir folder;
    make_video(folder, "whole.ts", "4", {"-g", "10"});
    std::string bytes = read_text(folder / "whole.ts");
    for (std::size_t at = bytes.size() / 3; at < bytes.size() / 3 + 2000; at += 97) {
        bytes[at] = static_cast<char>(bytes[at] ^ 0x55);
    }
    write_text(folder / "in.ts", bytes);
    CHECK(run_video(folder, Words{"in.ts", "no.mkv"} + identity).status == 3);
    CHECK_FALSE(std::filesystem::exists(folder / "no.mkv"));
    const ProgramResult result = run_glproc(folder.path(), {"video", "in.ts", "out.mkv", "--keep-going", "invert", "then", "invert"});
    CHECK(result.status == 0);
    CHECK(result.err.find("damaged, from ") != std::string::npos);
    const std::size_t frames = lines_of(frame_times(folder, "out.mkv")).size();
    const std::size_t by_ffmpeg = raw_frames(folder.path(), "in.ts", "gray").size() / (96 * 64);
    INFO(frames << " " << by_ffmpeg);
    CHECK(frames + 2 >= by_ffmpeg);
    CHECK(frames <= by_ffmpeg + 2);
    CHECK(frames > 80);
    // One that ends too early.
    make_video(folder, "whole.mp4", "4", {"-movflags", "faststart"});
    write_text(folder / "half.mp4", read_text(folder / "whole.mp4").substr(0, std::filesystem::file_size(folder / "whole.mp4") / 2));
    const ProgramResult half = run_glproc(folder.path(), {"video", "half.mp4", "half.mkv", "--keep-going", "invert"});
    CHECK(half.status == 0);
    CHECK(half.err.find("half.mp4: ") != std::string::npos);
    CHECK(half.err.find("truncated: it ends after ") != std::string::npos);
    CHECK(run_glproc(folder.path(), {"video", "whole.mp4", "whole.mkv", "--keep-going", "invert"}).err.find("damaged") ==
          std::string::npos);
}

TEST_CASE("info: videos say what they are") {
    const TempDir folder;
    make_video(folder, "in.mp4", "2", {"-metadata", "title=A film", "-metadata:s:a:0", "language=deu"});
    const ProgramResult result = run_glproc(folder.path(), {"info", "in.mp4"});
    CHECK(result.status == 0);
    CHECK(result.out == "in.mp4: QuickTime / MOV, 96x64, 0:02.00\n"
                        "  frames       50\n"
                        "  rate         25 frames per second\n"
                        "  codec        h264 (Constrained Baseline)\n"
                        "  stored as    yuv420p\n"
                        "  sound        aac (LC), 44100 Hz, mono, deu\n"
                        "  title        A film\n");
    const ProgramResult json = run_glproc(folder.path(), {"info", "in.mp4", "--json"});
    CHECK(json.out.starts_with("{\"schema\":\"glproc.film/1\",\"input\":\"in.mp4\",\"format\":\"mov,mp4,m4a,3gp,3g2,mj2\","
                               "\"width\":96,\"height\":64,\"seconds\":2,\"frames\":50,\"frames_counted\":true,\"rate\":25,"
                               "\"codec\":\"h264\",\"stored_as\":\"yuv420p\","));
    CHECK(json.out.find("\"tracks\":[{\"kind\":\"sound\",\"codec\":\"aac\",\"rate\":44100,\"channels\":1,\"language\":\"deu\"}]") !=
          std::string::npos);
    write_text(folder / "broken.mp4", read_text(folder / "in.mp4").substr(0, 400));
    const ProgramResult both = run_glproc(folder.path(), {"info", "broken.mp4", "in.mp4"});
    CHECK(both.status == 3);
    CHECK(both.err.starts_with("glproc: error: broken.mp4: not a video, or a broken one"));
    CHECK(both.out.starts_with("in.mp4: QuickTime / MOV"));
}
