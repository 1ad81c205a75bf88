// glproc video --in yuv: operations on planes, without RGB in between.
#include "video/video_program.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <utility>

#include <fmt/format.h>

using namespace glproc;
using namespace glproc::test;

namespace {

constexpr std::array planes{"y", "u", "v"};

void make_video(const TempDir& folder, const std::string& format, const std::string& size = "94x70") {
    ffmpeg(folder.path(), test_picture(size, "0.12") + Words{"-vf", "noise=alls=12:allf=t,format=" + format, "-c:v", "ffv1", "in.mkv"});
}

/// Frame 1 of a video as three images.
void split(const TempDir& folder, const std::string& video, const std::string& stem, bool deep) {
    for (const char* plane : planes) {
        ffmpeg(folder.path(), {"-i", video, "-vf", fmt::format("select='eq(n,1)',extractplanes={}", plane), "-frames:v", "1", "-pix_fmt",
                               deep ? "gray16be" : "gray", fmt::format("{}-{}.png", stem, plane)});
    }
}

int largest_difference(const Image& a, const Image& b) {
    REQUIRE(a.form() == b.form());
    double worst = 0;
    for (int y = 0; y < a.height(); ++y) {
        for (int x = 0; x < a.width(); ++x) {
            worst = std::max(worst, std::abs(a.at(x, y, 0) - b.at(x, y, 0)));
        }
    }
    return static_cast<int>(worst);
}

/// Of each plane, beside the same operation on the plane as a grey image.
void check(const TempDir& folder, const Words& operation, const Words& of_chroma) {
    must_work(folder, Words{"in.mkv", "out.mkv", "--codec", "ffv1", "--in", "yuv"} + operation);
    split(folder, "in.mkv", "in", false);
    split(folder, "out.mkv", "out", false);
    for (const char* plane : planes) {
        INFO(plane);
        const Words& words = plane == planes[0] ? operation : of_chroma;
        const ProgramResult result =
            run_glproc(folder.path(), Words{words[0], fmt::format("in-{}.png", plane), "right.png", "--gray"} +
                                          Words(words.begin() + 1, words.end()));
        INFO(result.err);
        REQUIRE(result.status == 0);
        CHECK(largest_difference(load(folder / fmt::format("out-{}.png", plane)), load(folder / "right.png")) == 0);
    }
}

} // namespace

TEST_CASE("video --in yuv: planes are filtered as grey images are, chroma by what its samples are apart") {
    const TempDir folder;
    make_video(folder, "yuv420p");
    check(folder, {"blur", "--sigma", "2"}, {"blur", "--sigma", "1"});
    check(folder, {"unsharp", "--sigma", "1.6", "--amount", "0.8"}, {"unsharp", "--sigma", "0.8", "--amount", "0.8"});
    check(folder, {"median", "--radius", "1"}, {"median", "--radius", "1"});
    check(folder, {"median", "--radius", "3"}, {"median", "--radius", "2"});
    make_video(folder, "yuv422p");
    check(folder, {"blur", "--sigma", "2,3"}, {"blur", "--sigma", "1,3"});
    make_video(folder, "yuv444p");
    check(folder, {"blur", "--sigma", "2"}, {"blur", "--sigma", "2"});
    check(folder, {"resize", "50%"}, {"resize", "50%"});
}

TEST_CASE("video --in yuv: chroma stays where luma is at another size") {
    // Ramps, which luma and chroma have at the same places: codes 40 + x along the samples of luma.
    const TempDir folder;
    for (const std::string location : {"left", "center"}) {
        const std::string shift = location == "left" ? "0" : "0.5";
        ffmpeg(folder.path(), {"-f", "lavfi", "-i", "color=s=128x32:r=25:d=0.08", "-vf",
                               fmt::format("format=yuv420p,geq=lum='40+X':cb='40+2*X+{0}':cr='40+2*X+{0}'", shift),
                               "-c:v", "libx264", "-qp", "0", "-x264-params", location == "left" ? "chromaloc=0" : "chromaloc=1",
                               "in.mkv"}); // FFmpeg 7 ignores -chroma_sample_location
        for (const std::string size : {"64x16", "256x64", "96x24"}) {
            must_work(folder, {"in.mkv", "out.mkv", "--codec", "ffv1", "--in", "yuv", "resize", size, "--filter", "linear"});
            split(folder, "out.mkv", "out", false);
            const Image luma = load(folder / "out-y.png");
            const Image chroma = load(folder / "out-u.png");
            for (int x = 6; x < chroma.width() - 6; ++x) {
                INFO(location << " " << size << " " << x);
                // Where the sample of chroma lies, luma is that of a pixel, or between two.
                const double here = location == "left" ? luma.at(2 * x, 8, 0) : (luma.at(2 * x, 8, 0) + luma.at(2 * x + 1, 8, 0)) / 2;
                CHECK(std::abs(chroma.at(x, 4, 0) - here) <= 1);
            }
        }
    }
}

TEST_CASE("video --in yuv: codes of 10 bits stay codes, and values change over time") {
    const TempDir folder;
    make_video(folder, "yuv420p10le");
    must_work(folder, {"in.mkv", "out.mkv", "--codec", "ffv1", "--in", "yuv", "unsharp", "--sigma", "1", "--amount", "20"});
    const std::string raw = raw_frames(folder.path(), "out.mkv", "yuv420p10le");
    int most = 0;
    for (std::size_t i = 0; i + 1 < raw.size(); i += 2) {
        most = std::max(most, static_cast<unsigned char>(raw[i]) + 256 * static_cast<unsigned char>(raw[i + 1]));
    }
    CHECK(most == 1023);
    must_work(folder, {"in.mkv", "moving.mkv", "--codec", "ffv1", "--in", "yuv", "blur", "--sigma", "0..4"});
    must_work(folder, {"in.mkv", "still.mkv", "--codec", "ffv1", "--in", "yuv", "blur", "--sigma", "2"});
    const std::string moving = raw_frames(folder.path(), "moving.mkv", "yuv420p10le");
    const std::string still = raw_frames(folder.path(), "still.mkv", "yuv420p10le");
    const std::string in = raw_frames(folder.path(), "in.mkv", "yuv420p10le");
    const std::size_t frame = in.size() / 3;
    CHECK(moving.substr(0, frame) == in.substr(0, frame));
    CHECK(moving.substr(frame, frame) == still.substr(frame, frame));
}

TEST_CASE("video --in yuv: near the result in RGB") {
    const TempDir folder;
    ffmpeg(folder.path(), test_picture("96x64", "0.12") + Words{"-vf", "gblur=3,hue=s=0.4,format=yuv420p", "-c:v", "ffv1", "in.mkv"});
    must_work(folder, {"in.mkv", "yuv.mkv", "--codec", "ffv1", "--in", "yuv", "blur", "--sigma", "3"});
    must_work(folder, {"in.mkv", "rgb.mkv", "--codec", "ffv1", "blur", "--sigma", "3"});
    const std::string a = raw_frames(folder.path(), "yuv.mkv", "yuv420p");
    const std::string b = raw_frames(folder.path(), "rgb.mkv", "yuv420p");
    int worst = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        worst = std::max(worst, std::abs(static_cast<unsigned char>(a[i]) - static_cast<unsigned char>(b[i])));
    }
    CHECK(worst <= 2);
}

TEST_CASE("video --in yuv: what it is not for is refused") {
    const TempDir folder;
    make_video(folder, "yuv420p");
    const auto refused = [&](const Words& words, const std::string& why) {
        const ProgramResult result = run_video(folder, words);
        INFO(result.err);
        CHECK(result.status == 2);
        CHECK(result.err.starts_with("glproc: error: " + why));
    };
    refused({"in.mkv", "out.mkv", "--in", "yuv", "invert"}, "invert does not work in YUV");
    refused({"in.mkv", "out.mkv", "--in", "yuv", "blur", "--sigma", "2", "--linear"}, "--linear is not for planes");
    refused({"in.mkv", "out.mkv", "--in", "yuv", "blur", "--sigma", "2", "--border", "constant"}, "--border constant is not for planes");
    refused({"in.mkv", "out.mkv", "--in", "yuv", "--to-matrix", "bt2020", "blur", "--sigma", "2"}, "out.mkv: it holds no planes");
    refused({"in.mkv", "out.mov", "--codec", "prores", "--in", "yuv", "blur", "--sigma", "2"}, "out.mov: it holds no planes");
    refused({"in.mkv", "out.png", "--frame", "0", "--in", "yuv", "blur", "--sigma", "2"}, "--in is for videos");
}

TEST_CASE("video: frames without work get more bits by a shift alone") {
    const TempDir folder;
    for (const std::string from : {"yuva444p12le", "yuv422p"}) {
        INFO(from);
        const bool deep = from == "yuva444p12le";
        ffmpeg(folder.path(),
               test_picture("96x64", "0.2") + Words{"-pix_fmt", deep ? "yuva444p10le" : "yuv422p", "-c:v",
                                                    deep ? "prores_ks" : "ffv1", deep ? "in.mov" : "in.mkv"});
        must_work(folder, Words{deep ? "in.mov" : "in.mkv", deep ? "out.mkv" : "out.mov", "--codec",
                                deep ? "ffv1" : "prores"});
        if (deep) { // FFV1 has 16 bits with alpha, and none of 12
            const std::string before = raw_frames(folder.path(), "in.mov", "yuva444p12le");
            const std::string after = raw_frames(folder.path(), "out.mkv", "yuva444p16le");
            REQUIRE(before.size() == after.size());
            const auto code = [](const std::string& text, std::size_t i) {
                return static_cast<unsigned char>(text[2 * i]) +
                       256 * static_cast<unsigned char>(text[2 * i + 1]);
            };
            std::size_t shifted = 0;
            const std::size_t plane = 96 * 64;
            for (std::size_t i = 0; i < 3 * plane; ++i) {
                shifted += code(after, i) == code(before, i) << 4 ? 1 : 0;
            }
            CHECK(shifted == 3 * plane);
            CHECK(code(after, 3 * plane) == 65535);
        }
    }
}
