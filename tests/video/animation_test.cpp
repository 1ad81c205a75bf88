// glproc video: parts by time, and animations of them.
#include "glproc/files/file.hpp"
#include "glproc/files/series.hpp"
#include "video/video_program.hpp"

using namespace glproc;
using namespace glproc::test;

TEST_CASE("video: a part by time has the frames of the same part by number") {
    const TempDir folder;
    ffmpeg(folder.path(), test_picture("32x24", "2") + Words{"-c:v", "ffv1", "in.mkv"}); // 25 a second
    const Words identity{"--codec", "ffv1", "convert"};
    must_work(folder, Words{"in.mkv", "numbers.mkv", "--frames", "10..29"} + identity);
    must_work(folder, Words{"in.mkv", "times.mkv", "--from", "0.4s", "--to", "1.2s"} + identity);
    CHECK(raw_frames(folder.path(), "times.mkv", "yuv420p") ==
          raw_frames(folder.path(), "numbers.mkv", "yuv420p"));
    must_work(folder, Words{"in.mkv", "numbers.mkv", "--frames", "40.."} + identity);
    must_work(folder,
              Words{"in.mkv", "times.mkv", "--from", "1.61"} + identity); // the frame that is shown then
    CHECK(raw_frames(folder.path(), "times.mkv", "yuv420p") ==
          raw_frames(folder.path(), "numbers.mkv", "yuv420p"));
}

TEST_CASE("video: an animation has the frames that stills have, and lasts as long") {
    const TempDir folder;
    ffmpeg(folder.path(), test_picture("64x48", "1") + Words{"in.mp4"});
    must_work(folder, {"in.mp4", "clip.apng", "--from", "0.2s", "--to", "0.6s", "resize", "32x"});
    must_work(folder, {"in.mp4", "clip.gif", "--from", "0.2s", "--to", "0.6s", "resize", "32x"});
    must_work(folder, {"in.mp4", "one.png", "--frame", "7", "resize", "32x"});
    for (const char* name : {"clip.apng", "clip.gif"}) {
        const std::vector<std::byte> file = read_file(folder / name);
        const auto series = open_series(file, name);
        REQUIRE(series != nullptr);
        CHECK(series->info().count == 10);
        CHECK(series->info().plays == 0);
        CHECK(series->info().seconds == Approx(0.4).margin(0.001));
        if (series->info().format == Format::png) {
            const Image image = series->at(3, "x", nullptr); // the eighth of the video
            const Image still = load(folder / "one.png");
            REQUIRE(image.form() == still.form());
            CHECK(std::ranges::equal(image.bytes(), still.bytes()));
        }
    }
    const ProgramResult refused =
        run_glproc(folder.path(), {"video", "in.mp4", "clip.gif", "--crf", "20", "invert"});
    CHECK(refused.status == 2);
    CHECK(refused.err.find("--crf is for videos, which clip.gif is not\n") != std::string::npos);
    CHECK(run_glproc(folder.path(), {"video", "in.mp4", "x.gif", "--from", "1s", "--to", "0.5s", "invert"})
              .status == 2);
    CHECK(run_glproc(folder.path(), {"video", "in.mp4", "x.gif", "--from", "20s", "invert"}).status == 3);
}

TEST_CASE("video: an animation of a film of varying rate shows each frame as long as the film does") {
    const TempDir folder;
    // B-frames: packets say how long they last in the order of decoding.
    ffmpeg(folder.path(),
           test_picture("32x24", "3") + Words{"-vf", "select='if(lt(n,20),1,not(mod(n,12)))'", "-fps_mode",
                                              "vfr", "-c:v", "libx264", "-bf", "3", "in.mp4"});
    std::vector<double> begins;
    for (const std::string& line : lines_of(frame_times(folder, "in.mp4"))) {
        begins.push_back(std::stod(line));
    }
    REQUIRE(begins.size() > 22);
    for (const Words& flags : {Words{}, Words{"--every", "2"}, Words{"--from", "0.4s"}}) {
        const std::size_t every = flags.empty() || flags[0] != "--every" ? 1 : 2;
        const std::size_t first = flags.empty() || flags[0] != "--from" ? 0 : 10;
        for (const char* name : {"clip.gif", "clip.webp", "clip.apng"}) {
            INFO(name << " " << every << " " << first);
            must_work(folder, Words{"in.mp4", name} + flags);
            const std::vector<std::byte> file = read_file(folder / name);
            const auto series = open_series(file, name);
            REQUIRE(series != nullptr);
            for (std::size_t i = first; i + every < begins.size(); i += every) {
                CHECK(series->next()->delay.seconds() == Approx(begins[i + every] - begins[i]).margin(0.011));
            }
        }
    }
}

TEST_CASE("video: a GIF without transparent pixels has no alpha to warn of, and one with them has") {
    const TempDir folder;
    ffmpeg(folder.path(), test_picture("32x24", "0.2") + Words{"opaque.gif"});
    const ProgramResult opaque = run_glproc(folder.path(), {"video", "opaque.gif", "out.mp4"});
    CHECK(opaque.status == 0);
    CHECK(opaque.err.find("alpha") == std::string::npos);
    ffmpeg(folder.path(), {"-f", "lavfi", "-i", "testsrc=s=32x24:d=0.2,format=rgba,colorchannelmixer=aa=0", "-filter_complex",
                           "split[a][b];[a]palettegen=reserve_transparent=1[p];[b][p]paletteuse", "clear.gif"});
    CHECK(run_glproc(folder.path(), {"video", "clear.gif", "out.mp4"})
              .err.find("clear.gif: its alpha channel is left out") != std::string::npos);
}
