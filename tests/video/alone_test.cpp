// glproc video by the processor alone: the frames are those that a device makes.
#include "support/combinations.hpp"
#include "video/video_program.hpp"

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

using namespace glproc;
using namespace glproc::test;

namespace {

/// By llvmpipe, as a user can ask for it; programs stay in the folder.
ProgramResult run_on_device(const TempDir& folder, const Words& words) {
    ProgramCall call = glproc_call(folder.path(), Words{"video"} + words + Words{"-v", "--device", "cpu"});
    call.environment["GLPROC_BACKEND"] = "egl";
    call.environment["GLPROC_CACHE"] = (folder / "programs").string();
    return run_program(std::move(call));
}

ProgramResult run_alone(const TempDir& folder, const Words& words) {
    return run_without_gpu(folder.path(), Words{"video"} + words + Words{"-v"});
}

/// Frames of a video with their times, or the bytes of images and streams.
std::string content_of(const TempDir& folder, const std::string& name) {
    if (name.ends_with(".mkv") || name.ends_with(".mov")) {
        return ffmpeg(folder.path(),
                      {"-i", name, "-map", "0:v:0", "-fps_mode", "passthrough", "-f", "framemd5", "-"});
    }
    if (name.find("%d") == std::string::npos) {
        return read_text(folder / name);
    }
    std::string all;
    for (int i = 1;; ++i) {
        const std::string one = std::string(name).replace(name.find("%d"), 2, std::to_string(i));
        if (!std::filesystem::exists(folder / one)) {
            REQUIRE(i > 1);
            return all;
        }
        all += read_text(folder / one);
    }
}

/// Makes it twice; `sink` is the end of the output's name, or "null".
void check_same(const TempDir& folder, const std::string& in, const std::string& sink, const Words& words) {
    INFO(in << " to " << sink << ": " << fmt::format("{}", fmt::join(words, " ")));
    const Words codec = sink == ".mkv" ? Words{"--codec", "ffv1"} : Words{};
    const auto go = [&](const char* stem, auto run) {
        const Words out = sink == "null" ? Words{"-", "--format", "null"} : Words{stem + sink};
        const ProgramResult result = run(folder, Words{in} + out + codec + words);
        INFO(result.err);
        REQUIRE(result.status == 0);
        return result.err.find("the processor, ") != std::string::npos;
    };
    CHECK(go("alone", run_alone));
    CHECK_FALSE(go("device", run_on_device));
    if (sink != "null") {
        CHECK(content_of(folder, "alone" + sink) == content_of(folder, "device" + sink));
    }
}

/// A video of three frames in this format.
void make_video(const TempDir& folder, const std::string& name, const std::string& filters,
               const Words& codec = {"-c:v", "ffv1"}) {
    ffmpeg(folder.path(), test_picture("66x38", "0.12") + Words{"-vf", "noise=alls=12:allf=t," + filters} +
                              codec + Words{name});
}

bool can_draw(const TempDir& folder) {
    ffmpeg(folder.path(), test_picture("66x38", "0.04") + Words{"a.png"});
    return run_glproc(folder.path(), {"draw", "a.png", "right.png", "--text", "1"}).status == 0;
}

const std::string wheel =
    "format=rgba,geq=r='r(X,Y)':g='g(X,Y)':b='b(X,Y)':a='clip(300-8*hypot(X-W/2,Y-H/2),0,255)',";

/// Formats by the name of their video.
const std::map<std::string, std::string> formats{
    {"420.mkv", "format=yuv420p," + tagged("smpte170m", "tv")},
    {"420full.mkv", "format=yuv420p," + tagged("bt709", "pc")},
    {"422deep.mkv", "format=yuv422p10le," + tagged("bt709", "tv")},
    {"444deep.mkv", "format=yuv444p10le," + tagged("bt2020nc", "pc")},
    {"rgb.mkv", "format=gbrp"},
    {"grey.mkv", "format=gray"},
    {"greydeep.mkv", "format=gray10le"},
    {"alpha.mkv", wheel + "format=yuva420p"},
    {"alphadeep.mkv", wheel + "format=gbrap12le"},
};

const std::vector<Words> operations{
    {"blur", "--sigma", "0..4", "then", "invert"},
    {"crop", "41x23+3+5"},
    {"resize", "50%"},
    {"blur", "--sigma", "2"},
    {"levels", "--auto"},
    {"gray"},
    {"rotate", "90"},
    {"rotate", "7", "then", "unsharp", "--sigma", "1", "then", "equalize"},
    {"blend", "--with", "a.png", "--mode", "screen"},
    {"blend", "--with", "422deep.mkv", "--opacity", "0.4"},
    {"threshold", "--method", "otsu"},
    {"--depth", "10", "unsharp", "--sigma", "1"},
    {"convert", "--depth", "16", "then", "blur", "--sigma", "1"},
    {"--even", "crop", "41x23", "then", "gray"},
};

} // namespace

TEST_CASE("video: without OpenGL every format has the frames of a device") {
    const TempDir folder;
    for (const auto& [name, filters] : formats) {
        make_video(folder, name, filters);
    }
    ffmpeg(folder.path(), test_picture("66x38", "0.04") + Words{"a.png"});
    std::vector<std::string> videos;
    for (const auto& [name, filters] : formats) {
        videos.push_back(name);
    }
    const std::vector<std::string> some{"420.mkv", "alphadeep.mkv"};
    for (const auto& [video, operation] : combinations(tries_everything() ? videos : some, operations)) {
        check_same(folder, video, ".mkv", operation);
    }
    for (const auto& [video, operation] :
         combinations(videos, std::vector{operations.front(), operations.back()})) {
        check_same(folder, video, ".mkv", operation);
    }
}

TEST_CASE("video: without OpenGL planes are placed and filtered as by a device") {
    const TempDir folder;
    for (const char* name : {"420.mkv", "422deep.mkv", "444deep.mkv"}) {
        make_video(folder, name, formats.at(name));
        check_same(
            folder, name, ".mkv",
            {"--in", "yuv", "unsharp", "--sigma", "1", "--amount", "20", "then", "flip", "horizontal"});
        check_same(folder, name, ".mkv", {"--in", "yuv", "blur", "--sigma", "0..4"});
        check_same(folder, name, ".mov", {"pad", "--margin", "3,5,7,9", "--background", "orange"});
    }
}

TEST_CASE("video: without OpenGL every kind of output has the frames of a device") {
    const TempDir folder;
    for (const std::string video : {"422deep.mkv", "grey.mkv", "alpha.mkv"}) {
        make_video(folder, video, formats.at(video));
        for (const std::string sink : {".mov", "-%d.png", ".gif", "null"}) {
            check_same(folder, video, sink, {"unsharp", "--sigma", "2"});
        }
    }
}

TEST_CASE("video: without OpenGL turned videos, HDR and numbered images have the frames of a device") {
    const TempDir folder;
    make_video(folder, "lying.mov", "format=yuv420p", {"-c:v", "libx264"});
    ffmpeg(folder.path(), turned("lying.mov", 90, "turned.mov"));
    for (const Words& operation :
         {Words{"flip", "horizontal"}, {"invert"}, {"--in", "yuv", "blur", "--sigma", "2"}}) {
        check_same(folder, "turned.mov", ".mkv", operation);
    }
    for (const std::string transfer : {"smpte2084", "arib-std-b67"}) {
        make_video(folder, "hdr.mkv", "format=yuv420p10le," + tagged("bt2020nc", "tv", "bt2020", transfer));
        check_same(folder, "hdr.mkv", ".mkv", {"--to-sdr", "blur", "--sigma", "1"});
        check_same(folder, "hdr.mkv", "-%d.png", {"--to-sdr"});
    }
    for (const std::string pixels : {"rgb24", "ya8", "rgba64be"}) {
        ffmpeg(folder.path(), test_picture("66x38", "0.12") +
                                  Words{"-vf", wheel + "format=" + pixels, "-start_number", "0", "p%d.png"});
        check_same(folder, "p%d.png", ".mkv", {"blur", "--sigma", "0..3"});
        check_same(folder, "p%d.png", "-%d.tif", {"resize", "150%"});
    }
    if (!can_draw(folder)) {
        WARN("draw has no module here");
        return;
    }
    check_same(folder, "p%d.png", ".mkv", {"draw", "--size", "8", "--text", "{frame} {time}"});
}

TEST_CASE("video: what only kernels do fails without a device") {
    const TempDir folder;
    make_video(folder, "in.mkv", "format=yuv420p");
    for (const Words& operation : {Words{"denoise", "--frames", "3"},
                                   {"sobel", "--output", "x"},
                                   {"blur", "--sigma", "2", "--method", "tiled"}}) {
        INFO(operation.front());
        const ProgramResult result = run_alone(folder, Words{"in.mkv", "out.mkv"} + operation);
        CHECK(result.status == 5);
        CHECK(result.err.starts_with("glproc: error: no usable OpenGL 4.3 context"));
        CHECK_FALSE(std::filesystem::exists(folder / "out.mkv"));
    }
}

TEST_CASE("video: without OpenGL videos are compared and described") {
    const TempDir folder;
    make_video(folder, "in.mkv", "format=yuv420p");
    make_video(folder, "other.mkv", "negate,format=yuv420p");
    for (const Words& words : {Words{"compare", "in.mkv", "other.mkv", "--json"}, {"info", "in.mkv"}}) {
        const ProgramResult alone = run_without_gpu(folder.path(), words);
        CHECK(alone.status == 0);
        CHECK(alone.out == run_glproc(folder.path(), words).out);
        CHECK_FALSE(alone.out.empty());
    }
}
