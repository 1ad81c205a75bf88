// glproc video --fps and --blend: other rates.
#include "video/video_program.hpp"

#include <cmath>
#include <fmt/format.h>

using namespace glproc;
using namespace glproc::test;

namespace {

constexpr std::size_t frame_size = 48 * 32 * 3 / 2;

std::string samples_of(const TempDir& folder, const std::string& video, std::size_t frame) {
    return raw_frames(folder.path(), video, "yuv420p").substr(frame * frame_size, frame_size);
}

std::size_t count_of(const TempDir& folder, const std::string& video) {
    return raw_frames(folder.path(), video, "yuv420p").size() / frame_size;
}

int code(const std::string& samples, std::size_t i) {
    return static_cast<unsigned char>(samples[i]);
}

void make_video(const TempDir& folder, const Words& more = {}) {
    ffmpeg(folder.path(), test_picture("48x32", "0.4") + more +
                              Words{"-vf", "noise=alls=9:allf=t", "-pix_fmt", "yuv420p", "-c:v", "ffv1", "in.mkv"});
}

} // namespace

TEST_CASE("video: at twice the rate every second frame lies between two, or shows the one before") {
    const TempDir folder;
    make_video(folder);
    must_work(folder, {"in.mkv", "shown.mkv", "--codec", "ffv1", "--fps", "50"});
    must_work(folder, {"in.mkv", "mixed.mkv", "--codec", "ffv1", "--fps", "50", "--blend"});
    REQUIRE(count_of(folder, "shown.mkv") == 20);
    REQUIRE(count_of(folder, "mixed.mkv") == 20);
    for (std::size_t i = 0; i < 10; ++i) {
        INFO(i);
        const std::string a = samples_of(folder, "in.mkv", i);
        const std::string b = samples_of(folder, "in.mkv", std::min<std::size_t>(i + 1, 9));
        CHECK(samples_of(folder, "shown.mkv", 2 * i) == a);
        CHECK(samples_of(folder, "shown.mkv", 2 * i + 1) == a);
        CHECK(samples_of(folder, "mixed.mkv", 2 * i) == a);
        const std::string mixed = samples_of(folder, "mixed.mkv", 2 * i + 1);
        for (std::size_t at = 0; at < frame_size; ++at) {
            REQUIRE(code(mixed, at) == (code(a, at) + code(b, at) + 1) / 2);
        }
    }
}

TEST_CASE("video: other rates, by the weights that times have") {
    const TempDir folder;
    make_video(folder);
    for (const auto& [fps, rate] : {std::pair{"30000/1001", 30000 / 1001.0}, {"10", 10.0}, {"60", 60.0}}) {
        INFO(fps);
        must_work(folder, {"in.mkv", "out.mp4", "--fps", fps, "--blend"}); // H.264, for its times
        must_work(folder, {"in.mkv", "out.mkv", "--codec", "ffv1", "--fps", fps, "--blend"});
        const std::size_t count = count_of(folder, "out.mkv");
        CHECK(count == static_cast<std::size_t>(std::ceil(0.4 * rate - 1e-9)));
        const std::vector<std::string> times = lines_of(frame_times(folder, "out.mp4"));
        REQUIRE(times.size() == count);
        for (std::size_t i = 0; i < count; ++i) {
            INFO(i);
            const double seconds = static_cast<double>(i) / rate;
            CHECK(std::abs(std::stod(times[i]) - seconds) < 2e-4);
            const auto at = static_cast<std::size_t>(seconds * 25 + 1e-6);
            const double share = at >= 9 ? 0 : seconds * 25 - static_cast<double>(at);
            const std::string a = samples_of(folder, "in.mkv", at);
            const std::string b = samples_of(folder, "in.mkv", std::min<std::size_t>(at + 1, 9));
            const std::string made = samples_of(folder, "out.mkv", i);
            for (std::size_t k = 0; k < frame_size; ++k) {
                REQUIRE(std::abs(code(made, k) - ((1 - share) * code(a, k) + share * code(b, k))) < 0.51);
            }
        }
    }
}

TEST_CASE("video: sound stays where it is at another rate, and operations see the new frames") {
    const TempDir folder;
    make_video(folder);
    ffmpeg(folder.path(), {"-i", "in.mkv", "-f", "lavfi", "-i", "sine=440:d=0.4", "-c:v", "copy", "-c:a", "flac", "sound.mkv"});
    must_work(folder, {"sound.mkv", "out.mkv", "--codec", "ffv1", "--fps", "50", "invert"});
    const Words hash{"-map", "0:a", "-c", "copy", "-f", "md5", "-"};
    CHECK(ffmpeg(folder.path(), Words{"-i", "out.mkv"} + hash) == ffmpeg(folder.path(), Words{"-i", "sound.mkv"} + hash));
    CHECK(count_of(folder, "out.mkv") == 20);
    must_work(folder, {"in.mkv", "fade%02d.png", "--fps", "50", "adjust", "--brightness", "0", "at", "0.02s", "--brightness", "1"});
    const Image second = load(folder / "fade02.png"); // which is white by then
    CHECK(second.at(20, 20, 0) == 255);

    CHECK(run_video(folder, {"in.mkv", "out.mkv", "--blend"}).err.starts_with("glproc: error: --blend has no effect without --fps"));
    CHECK(run_video(folder, {"in.mkv", "out.mkv", "--fps", "0"}).status == 2);
    CHECK(run_video(folder, {"in.mkv", "out.mkv", "--fps", "25/0"}).status == 2);
}

TEST_CASE("video: --max-frames counts the frames that --fps makes") {
    const TempDir folder;
    make_video(folder); // of 10 frames
    must_work(folder, {"in.mkv", "out.mkv", "--codec", "ffv1", "--fps", "50", "--max-frames", "20"});
    const ProgramResult result = run_video(folder, {"in.mkv", "o.mkv", "--codec", "ffv1", "--fps", "50", "--max-frames", "19"});
    CHECK(result.status == 3);
    CHECK(result.err.starts_with("glproc: error: --fps makes more than 19 frames\n  hint: --max-frames allows more"));
}

TEST_CASE("video: --fps does not fill a pause of hours unless it is told to") {
    const TempDir folder;
    make_video(folder);
    ffmpeg(folder.path(), {"-i", "in.mkv", "-vf", "setpts='PTS+if(gte(N,5),20000/TB,0)'", "-fps_mode",
                           "passthrough", "-c:v", "ffv1", "pause.mkv"});
    const Words fps{"--codec", "ffv1", "--fps", "30"};
    const ProgramResult result = run_video(folder, Words{"pause.mkv", "out.mkv"} + fps);
    CHECK(result.status == 3);
    CHECK(result.err.starts_with(
        "glproc: error: the frame at 0.16 s is shown for 20000 s: --fps would fill that with 600001 frames\n"
        "  hint: --max-frames 1000000 allows it, --from and --to take a part"));
    const ProgramResult given = run_video(folder, Words{"pause.mkv", "out.mkv", "--max-frames", "300"} + fps);
    CHECK(given.err.starts_with("glproc: error: --fps makes more than 300 frames"));
    must_work(folder, Words{"pause.mkv", "out.mkv", "--to", "1s"} + fps);
    CHECK(count_of(folder, "out.mkv") == 6);
    must_work(folder, {"pause.mkv", "out.mkv", "--codec", "ffv1"});
    CHECK(count_of(folder, "out.mkv") == 10);
}

TEST_CASE("video: hints name the films of the call") {
    const TempDir folder;
    ffmpeg(folder.path(), test_picture("96x64", "0.2") + x264 + Words{"my film.mp4"});
    CHECK(run_video(folder, {"my film.mp4", "out.mkv", "--blend"}).err ==
          "glproc: error: --blend has no effect without --fps\n"
          "  hint: glproc video 'my film.mp4' out.mkv --fps 50 --blend\n");
}
