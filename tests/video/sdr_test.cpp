// glproc video --to-sdr.
#include "video/video_program.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

#include <fmt/format.h>

using namespace glproc;
using namespace glproc::test;

namespace {

std::string colours_of(const TempDir& folder, const std::string& video) {
    return ffprobe(folder.path(), {"-select_streams", "v:0", "-show_entries",
                                   "stream=codec_name,pix_fmt,color_space,color_transfer,color_primaries", "-of", "csv=p=0", video});
}

void make_video(const TempDir& folder, const std::string& name, const std::string& primaries, const std::string& transfer,
               const std::string& format = "gbrp10le") {
    const std::string space = format.starts_with("gbr") ? "gbr" : "bt2020nc";
    const std::string range = format.starts_with("gbr") ? "pc" : "tv";
    ffmpeg(folder.path(), test_picture("96x64", "0.2") +
                              Words{"-vf", "gblur=2,format=" + format + "," + tagged(space, range, primaries, transfer), "-c:v",
                                    "ffv1", name});
}

} // namespace

TEST_CASE("video: an HDR video becomes H.264 of 8 bits that says that it is BT.709") {
    const TempDir folder;
    for (const std::string transfer : {"smpte2084", "arib-std-b67"}) {
        INFO(transfer);
        make_video(folder, "in.mkv", "bt2020", transfer, "yuv420p10le");
        must_work(folder, {"in.mkv", "out.mp4", "--to-sdr"});
        CHECK(colours_of(folder, "out.mp4") == "h264,yuv420p,bt709,bt709,bt709\n");
        must_work(folder, {"in.mkv", "same.mp4"});
        CHECK(colours_of(folder, "same.mp4") == "hevc,yuv420p10le,bt2020nc," + transfer + ",bt2020\n");
    }
}

TEST_CASE("video: the metadata of HDR10 sets the peak, and is gone from the result") {
    const TempDir folder;
    const auto video = [&](const std::string& name, const std::string& light) {
        ffmpeg(folder.path(),
               test_picture("96x64", "0.2") +
                   Words{"-vf", "format=yuv420p10le," + tagged("bt2020nc", "tv", "bt2020", "smpte2084"), "-c:v", "libx265", "-preset",
                         "ultrafast", "-x265-params",
                         "log-level=none:lossless=1:master-display=G(13250,34500)B(7500,3000)R(34000,16000)WP(15635,16450)L(40000000,1)" +
                             light,
                         name});
    };
    video("screen.mp4", "");
    video("light.mp4", ":max-cll=600,200");
    const auto made = [&](const std::string& in, const Words& more) {
        must_work(folder, Words{in, "out.png", "--frame", "1", "--to-sdr"} + more);
        return load(folder / "out.png");
    };
    CHECK(same_pixels(made("light.mp4", {}), made("light.mp4", {"--hdr-peak", "600"})));
    CHECK(same_pixels(made("screen.mp4", {}), made("screen.mp4", {"--hdr-peak", "4000"})));
    CHECK_FALSE(same_pixels(made("screen.mp4", {}), made("screen.mp4", {"--hdr-peak", "600"})));
    must_work(folder, {"light.mp4", "out.mp4", "--to-sdr"});
    const std::string facts = ffprobe(folder.path(), {"-show_frames", "-show_streams", "-select_streams", "v", "out.mp4"});
    CHECK(facts.find("astering") == std::string::npos);
    CHECK(facts.find("ight level") == std::string::npos);
    must_work(folder, {"light.mp4", "hdr.mp4"});
    CHECK(ffprobe(folder.path(), {"-show_streams", "hdr.mp4"}).find("astering") != std::string::npos);
}

TEST_CASE("video: light and primaries are those of zscale, where nothing is tone mapped") {
    const TempDir folder;
    make_video(folder, "in.mkv", "bt2020", "smpte2084");
    must_work(folder, {"in.mkv", "out.png", "--frame", "2", "--to-sdr", "--hdr-peak", "203"});
    const Image made = load(folder / "out.png");
    const std::string raw = ffmpeg(folder.path(), {"-i", "in.mkv", "-vf",
                                                   "select='eq(n,2)',zscale=transfer=linear:npl=203:agamma=false,format=gbrpf32le,"
                                                   "zscale=primaries=bt709:agamma=false",
                                                   "-frames:v", "1", "-f", "rawvideo", "-pix_fmt", "gbrpf32le", "-"});
    constexpr std::size_t pixels = 96UL * 64;
    REQUIRE(raw.size() == pixels * 3 * sizeof(float));
    const auto light = [&](std::size_t plane, std::size_t i) {
        float value = 0;
        std::memcpy(&value, raw.data() + (plane * pixels + i) * sizeof(float), sizeof(value));
        return double{value};
    };
    constexpr std::array<std::size_t, 3> plane_of{2, 0, 1}; // of red, green and blue
    double worst = 0; // in light, as its values are steep at black
    for (std::size_t i = 0; i < pixels; ++i) {
        for (int c = 0; c < 3; ++c) {
            const double value = made.at(static_cast<int>(i % 96), static_cast<int>(i / 96), c) / max_code(made.depth());
            const double wanted = std::clamp(light(plane_of.at(static_cast<std::size_t>(c)), i), 0.0, 1.0);
            worst = std::max(worst, std::abs(std::pow(value, 2.4) - wanted));
        }
    }
    CHECK(worst < 0.5 * 2.4 / 255 + 5e-4); // half a code where it is widest
}

TEST_CASE("video: wide colours are converted, usual ones stay, and flags without effect are refused") {
    const TempDir folder;
    make_video(folder, "wide.mkv", "bt2020", "bt709");
    make_video(folder, "usual.mkv", "bt709", "bt709");
    must_work(folder, {"wide.mkv", "out.png", "--frame", "2", "--to-sdr"});
    must_work(folder, {"wide.mkv", "as-it-is.png", "--frame", "2"});
    CHECK_FALSE(same_pixels(load(folder / "out.png"), load(folder / "as-it-is.png")));
    const ProgramResult nothing = run_glproc(folder.path(), {"video", "usual.mkv", "usual.png", "--frame", "2", "--to-sdr"});
    CHECK(nothing.err == "glproc: warning: usual.mkv: it is SDR of usual colours already: --to-sdr changes nothing\n");
    must_work(folder, {"usual.mkv", "as-it-is.png", "--frame", "2"});
    CHECK(same_pixels(load(folder / "usual.png"), load(folder / "as-it-is.png")));
    CHECK(run_video(folder, {"wide.mkv", "out.mp4", "--to-sdr", "--hdr-peak", "500"}).status == 2);
    CHECK(run_video(folder, {"wide.mkv", "out.mp4", "--hdr-peak", "500"}).status == 2);
}

TEST_CASE("video: operations see SDR") {
    const TempDir folder;
    make_video(folder, "in.mkv", "bt2020", "arib-std-b67");
    must_work(folder, {"in.mkv", "out.png", "--frame", "2", "--to-sdr", "invert"});
    must_work(folder, {"in.mkv", "sdr.png", "--frame", "2", "--to-sdr"});
    REQUIRE(run_glproc(folder.path(), {"invert", "sdr.png", "right.png"}).status == 0);
    CHECK(same_pixels(load(folder / "out.png"), load(folder / "right.png")));
}
