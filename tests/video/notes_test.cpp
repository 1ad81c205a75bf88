// glproc video: what would be lost, or is not there, is said; and nothing else is.
#include "video/video_program.hpp"

#include <array>

using namespace glproc;
using namespace glproc::test;

namespace {

/// What it says besides that there is no GPU.
std::string said(const TempDir& folder, const Words& words, int status = 0) {
    const ProgramResult result = run_glproc(folder.path(), Words{"video"} + words);
    INFO(result.err);
    CHECK(result.status == status);
    return without_software_warning(result.err);
}

} // namespace

TEST_CASE("video: there is no frame beyond the end, whether it is named by number or time") {
    const TempDir folder;
    ffmpeg(folder.path(), test_picture("96x64", "1") + x264 + Words{"-pix_fmt", "yuv420p", "in.mp4"});
    for (const std::string time : {"10:00", "99:00:00", "1.5s", "1s"}) {
        INFO(time);
        const std::string error = said(folder, Words{"in.mp4", "out.png", "--frame", time} + identity, 3);
        CHECK(error.find("glproc: error: in.mp4: there is no frame at ") == 0);
        CHECK(error.find(" s: it ends after 1.00 s\n") != std::string::npos);
        CHECK_FALSE(std::filesystem::exists(folder / "out.png"));
    }
    CHECK(said(folder, Words{"in.mp4", "out.png", "--frame", "0.99s"} + identity).empty());
    CHECK(said(folder, Words{"in.mp4", "last.png", "--frame", "24"} + identity).empty());
    CHECK(same_pixels(load(folder / "out.png"), load(folder / "last.png")));
}

TEST_CASE("video: fewer frames than were asked for are said") {
    const TempDir folder;
    ffmpeg(folder.path(),
           test_picture("96x64", "0.4") + x264 + Words{"-pix_fmt", "yuv420p", "in.mp4"}); // 10 frames
    const auto said_of = [&](const std::string& in, const std::string& frames, const std::string& every) {
        return said(folder,
                    Words{in, "out.mkv", "--codec", "ffv1", "--frames", frames, "--every", every} + identity);
    };
    CHECK(said_of("in.mp4", "2..9", "1").empty());
    CHECK(said_of("in.mp4", "2..", "1").empty());
    CHECK(said_of("in.mp4", "1..10", "4").empty()); // 1, 5, 9
    CHECK(said_of("in.mp4", "2..10", "1") == "glproc: warning: in.mp4: it ends before frame 10\n");
    CHECK(said_of("in.mp4", "1..13", "4") == "glproc: warning: in.mp4: it ends before frame 13\n");
    ffmpeg(folder.path(), test_picture("96x64", "0.4") + Words{"frame-%03d.png"});
    CHECK(said_of("frame-%03d.png", "0..9", "1").empty());
    CHECK(said_of("frame-%03d.png", "0..10", "1") ==
          "glproc: warning: there is no picture 10: 10 were found\n");
}

TEST_CASE("video: a number that is missing among pictures is said") {
    const TempDir folder;
    ffmpeg(folder.path(), test_picture("96x64", "0.4") + Words{"frame-%03d.png"}); // 1 to 10
    const Words call = Words{"frame-%03d.png", "out.mkv", "--codec", "ffv1"} + identity;
    CHECK(said(folder, call).empty());
    std::filesystem::remove(folder / "frame-003.png");
    const std::string warning = "glproc: warning: frame-003.png is missing";
    CHECK(said(folder, call) == warning + ": the frames around it follow each other\n");
    std::filesystem::remove(folder / "frame-007.png");
    std::filesystem::remove(folder / "frame-008.png");
    CHECK(said(folder, call) == warning + ", and 2 more: the frames around it follow each other\n");
    CHECK(said(folder, Words{"frame-%03d.png", "out.mkv", "--codec", "ffv1", "--frames", "0..1"} + identity)
              .empty());
    for (const int number : {1, 3, 5, 7, 8, 9}) { // every second one is left, and no gap
        std::filesystem::remove(folder / ("frame-00" + std::to_string(number) + ".png"));
    }
    std::filesystem::copy_file(folder / "frame-006.png", folder / "frame-008.png");
    CHECK(said(folder, call).empty());
}

TEST_CASE("video: HDR10's screen and brightest pixels stay") {
    const TempDir folder;
    ffmpeg(folder.path(),
           test_picture("96x64", "0.2") +
               Words{"-vf", "format=yuv420p10le," + tagged("bt2020nc", "tv", "bt2020", "smpte2084"), "-c:v",
                     "libx265", "-x265-params",
                     "log-level=none:master-display=G(13250,34500)B(7500,3000)R(34000,16000)WP(15635,16450)"
                     "L(10000000,50):max-cll=1000,400",
                     "in.mp4"});
    const auto of = [&](const std::string& video, const std::string& level) {
        return ffprobe(folder.path(),
                       {"-select_streams", "v:0", "-show_" + level + "s", "-read_intervals", "%+#1",
                        "-show_entries", level + "_side_data_list:" + level + "=side_data_list", "-of",
                        "flat", video});
    };
    for (const auto& [codec, name, level] : {std::array<std::string, 3>{"h265", "out.mp4", "frame"},
                                             {"h264", "out.mkv", "stream"},
                                             {"av1", "out.mkv", "frame"},
                                             {"ffv1", "out.mkv", "stream"},
                                             {"vp9", "out.webm", "stream"}}) {
        INFO(codec);
        CHECK(said(folder, Words{"in.mp4", name, "--codec", codec} + identity).empty());
        const std::string data = of(name, level);
        INFO(data);
        CHECK(data.find("Mastering display metadata") != std::string::npos);
        CHECK(data.find("max_content=1000") != std::string::npos);
        CHECK(data.find("max_average=400") != std::string::npos);
        const std::string most = data.substr(data.find("max_luminance=") + 15);
        CHECK(std::stod(most) / std::stod(most.substr(most.find('/') + 1)) == Approx(1000).epsilon(0.001));
        const std::string red = data.substr(data.find("red_x=") + 7);
        CHECK(std::stod(red) / std::stod(red.substr(red.find('/') + 1)) == Approx(0.68).epsilon(0.001));
    }
}

TEST_CASE("video: pictures of a film in HDR are said to look different") {
    const TempDir folder;
    for (const std::string transfer : {"smpte2084", "arib-std-b67"}) {
        ffmpeg(folder.path(),
               test_picture("96x64", "0.2") +
                   Words{"-vf", "format=yuv420p10le," + tagged("bt2020nc", "tv", "bt2020", transfer)} + x264 +
                   Words{"in.mp4"});
        const std::string warning = "glproc: warning: in.mp4: its colours are not sRGB, as images are "
                                    "assumed to be; they will look different without --to-sdr\n";
        CHECK(said(folder, Words{"in.mp4", "out.png", "--frame", "0"} + identity) == warning);
        CHECK(said(folder, Words{"in.mp4", "frame-%d.png"} + identity) == warning);
        CHECK(said(folder, Words{"in.mp4", "out.mkv"} + identity).empty());
    }
    ffmpeg(folder.path(), test_picture("96x64", "0.2") +
                              Words{"-vf", "format=yuv420p," + tagged("bt709", "tv", "bt709", "bt709")} + x264 +
                              Words{"in.mp4"});
    CHECK(said(folder, Words{"in.mp4", "out.png", "--frame", "0"} + identity).empty());
}

TEST_CASE("video: the alpha of VP9 is missed where it is lost, and what is kept is not") {
    const TempDir folder;
    ffmpeg(folder.path(), test_picture("96x64", "0.2") + Words{"-vf", "format=yuva420p,fade=out:0:5:alpha=1",
                                                               "-c:v", "libvpx-vp9", "in.webm"});
    CHECK(said(folder, Words{"in.webm", "out.mp4"} + identity) ==
          "glproc: warning: in.webm: its alpha channel is left out\n");
    CHECK(said(folder, Words{"in.webm", "out.webm"} + identity).empty());

    ffmpeg(folder.path(), test_picture("96x64", "0.2") + x264 +
                              Words{"-pix_fmt", "yuv420p", "-timecode", "01:02:03:04", "in.mov"});
    for (const std::string out : {"out.mov", "out.mp4", "out.mkv"}) {
        INFO(out);
        CHECK(said(folder, Words{"in.mov", out} + identity).empty());
        CHECK(ffprobe(folder.path(), {"-show_streams", "-show_format", out}).find("01:02:03:04") !=
              std::string::npos);
    }
    write_text(folder / "words.txt", "a text\n");
    ffmpeg(folder.path(), test_picture("96x64", "0.2") + x264 +
                              Words{"-pix_fmt", "yuv420p", "-attach", "words.txt", "-metadata:s:t",
                                    "mimetype=text/plain", "in.mkv"});
    CHECK(said(folder, Words{"in.mkv", "out.mkv"} + identity).empty());
    ffmpeg(folder.path(),
           {"-dump_attachment:t:0", "dumped.txt", "-i", "out.mkv", "-t", "0", "-f", "null", "-"});
    CHECK(read_text(folder / "dumped.txt") == "a text\n");
    CHECK(said(folder, Words{"in.mkv", "out.mp4"} + identity) ==
          "glproc: warning: out.mp4: mp4 holds no attachment: it is left out\n");
}

TEST_CASE("video: frames that change their size are called that") {
    const TempDir folder;
    for (const std::string size : {"96x64", "64x48"}) {
        ffmpeg(folder.path(),
               test_picture(size, "1") + Words{"-pix_fmt", "yuv420p", "-c:v", "libx264", size + ".ts"});
    }
    write_text(folder / "in.ts", read_text(folder / "96x64.ts") + read_text(folder / "64x48.ts"));
    const std::string error = said(folder, Words{"in.ts", "out.mkv"} + identity, 3);
    CHECK(error.find("glproc: error: in.ts: its frames change to 64x48 of yuv420p after ") == 0);
    CHECK(error.find("which is not supported\n  hint: ffmpeg gives them one size") != std::string::npos);
}

TEST_CASE("video: a missing output and unknown flags are said in words that fit") {
    const TempDir folder;
    write_text(folder / "in.mp4", "");
    CHECK(said(folder, {"in.mp4", "invert"}, 2)
              .starts_with("glproc: error: video needs IN and OUT before the operation 'invert'\n"));
    CHECK(said(folder, {"in.mp4", "out.mp4", "--since", "0.5s", "--till", "1s", "invert"}, 2)
              .starts_with("glproc: error: unknown flag '--since'"));
    CHECK(said(folder, {"in.mp4", "out.mp4", "--since", "0.5s", "invert"}, 2)
              .starts_with("glproc: error: unknown flag '--since'"));
}
