// glproc video: operations that look at several frames, and values that change.
#include "video/video_program.hpp"

#include <fmt/format.h>

using namespace glproc;
using namespace glproc::test;

namespace {

constexpr int frames = 6;

std::string numbered(const std::string& stem, int number) {
    return fmt::format("{}{}.png", stem, number);
}

/// Frames in.mkv, and the same as a1.png and so on.
void make_frames(const TempDir& folder) {
    ffmpeg(folder.path(), test_picture("47x33", "0.24") + Words{"-vf", "noise=alls=20:allf=t", "-pix_fmt", "gbrp", "-c:v", "ffv1",
                                                                "in.mkv"});
    must_work(folder, Words{"in.mkv", "a%d.png"} + identity);
    REQUIRE(std::filesystem::exists(folder / numbered("a", frames)));
    REQUIRE_FALSE(std::filesystem::exists(folder / numbered("a", frames + 1)));
}

void make(const TempDir& folder, const Words& words) {
    const ProgramResult result = run_glproc(folder.path(), words);
    INFO(result.err);
    REQUIRE(result.status == 0);
}

bool are_same(const TempDir& folder, const std::string& a, const std::string& b) {
    return same_pixels(load(folder / a), load(folder / b));
}

/// Of the frames around `number`, with the ends repeated.
Words window(const std::string& stem, int number, int reach) {
    Words files;
    for (int i = number - reach; i <= number + reach; ++i) {
        files.push_back(numbered(stem, std::clamp(i, 1, frames)));
    }
    return files;
}

} // namespace

TEST_CASE("video: a stack over frames is the stack of the frames around each") {
    const TempDir folder;
    make_frames(folder);
    for (const Words& how : {Words{"--by", "median"}, {"--by", "mean", "--weights", "1,2,1"}}) {
        must_work(folder, Words{"in.mkv", "b%d.png", "stack", "--frames", "3"} + how);
        for (int i = 1; i <= frames; ++i) {
            make(folder, Words{"stack"} + window("a", i, 1) + Words{"right.png"} + how);
            INFO(how[1] << " " << i);
            CHECK(are_same(folder, numbered("b", i), "right.png"));
        }
    }
    CHECK_FALSE(are_same(folder, "b3.png", "a3.png"));
}

TEST_CASE("video: windows one after another, and operations between them, are as many runs") {
    const TempDir folder;
    make_frames(folder);
    must_work(folder, Words{"in.mkv", "b%d.png", "invert", "then", "stack", "--frames=5", "--by", "max", "then", "blur", "--sigma",
                            "1", "then", "stack", "--frames", "3", "--by", "median"});
    must_work(folder, Words{"a%d.png", "c%d.png", "invert"});
    must_work(folder, Words{"c%d.png", "d%d.png", "stack", "--frames", "5", "--by", "max", "then", "blur", "--sigma", "1"});
    must_work(folder, Words{"d%d.png", "e%d.png", "stack", "--frames", "3", "--by", "median"});
    for (int i = 1; i <= frames; ++i) {
        INFO(i);
        CHECK(are_same(folder, numbered("b", i), numbered("e", i)));
    }
}

TEST_CASE("video: denoise over frames takes the noise of a still scene away, as one frame cannot") {
    const TempDir folder;
    make_frames(folder);
    const Words denoise{"denoise", "--strength", "0.08", "--search", "2", "--patch", "1"};
    must_work(folder, Words{"in.mkv", "one%d.png"} + denoise);
    must_work(folder, Words{"in.mkv", "own%d.png"} + denoise + Words{"--frames", "1"});
    must_work(folder, Words{"in.mkv", "three%d.png"} + denoise + Words{"--frames", "3"});
    write_text(folder / "recipe.txt", "denoise --strength 0.08 --search 2 --patch 1 --frames 3\n");
    must_work(folder, Words{"in.mkv", "recipe%d.png", "--recipe", "recipe.txt"});
    for (int i = 1; i <= frames; ++i) {
        INFO(i);
        CHECK(are_same(folder, numbered("own", i), numbered("one", i)));
        CHECK_FALSE(are_same(folder, numbered("three", i), numbered("one", i)));
        CHECK(are_same(folder, numbered("three", i), numbered("recipe", i)));
    }
}

TEST_CASE("video: --frames with dots is still the part of the video that is read") {
    const TempDir folder;
    make_frames(folder);
    must_work(folder, Words{"in.mkv", "b%d.png", "stack", "--by", "median", "--frames", "3", "--frames", "1..3"});
    make(folder, {"stack", "a2.png", "a2.png", "a3.png", "right.png", "--by", "median"});
    CHECK(are_same(folder, "b1.png", "right.png"));
    CHECK_FALSE(std::filesystem::exists(folder / "b4.png"));
}

TEST_CASE("video: a value goes evenly from the first frame to the last, and from time to time") {
    const TempDir folder;
    make_frames(folder);
    must_work(folder, {"in.mkv", "b%d.png", "adjust", "--brightness", "0..0.25"});
    must_work(folder, {"a%d.png", "c%d.png", "--fps", "1", "crop", "--rect", "0,0,20,10..10,5,20,10"});
    const auto right = [&](const Words& words) { make(folder, words); };
    for (int i = 1; i <= frames; ++i) {
        INFO(i);
        right({"adjust", numbered("a", i), "right.png", "--brightness", fmt::format("{}", 0.05 * (i - 1))});
        CHECK(are_same(folder, numbered("b", i), "right.png"));
        right({"crop", numbered("a", i), "right.png", "--rect", fmt::format("{},{},20,10", 2 * (i - 1), i - 1)});
        CHECK(are_same(folder, numbered("c", i), "right.png"));
    }
}

TEST_CASE("video: keys of a recipe") {
    const TempDir folder;
    make_frames(folder);
    write_text(folder / "keys.txt", "blur --sigma 2\n  at 2s sigma 4 # a comment\n  at 0:04 --sigma=0\nadjust\n  at 1s brightness 0.1\n");
    must_work(folder, {"a%d.png", "b%d.png", "--fps", "1", "--recipe", "keys.txt"});
    for (int i = 1; i <= frames; ++i) {
        const std::vector<const char*> sigmas{"2", "3", "4", "2", "0", "0"};
        INFO(i);
        make(folder, {"pipe", numbered("a", i), "right.png", "blur", "--sigma", sigmas[static_cast<std::size_t>(i) - 1], "then",
                      "adjust", "--brightness", "0.1"});
        CHECK(are_same(folder, numbered("b", i), "right.png"));
    }
}

TEST_CASE("video: a second video goes on frame by frame, and its last frame stays") {
    const TempDir folder;
    make_frames(folder);
    ffmpeg(folder.path(), {"-i", "in.mkv", "-frames:v", "4", "-c", "copy", "short.mkv"});
    must_work(folder, {"in.mkv", "b%d.png", "blend", "--with", "short.mkv", "--mode", "difference"});
    for (int i = 1; i <= frames; ++i) {
        INFO(i);
        make(folder, {"blend", numbered("a", i), "right.png", "--with", numbered("a", std::min(i, 4)), "--mode", "difference"});
        CHECK(are_same(folder, numbered("b", i), "right.png"));
    }
}

TEST_CASE("video: a second image comes in the colours of the frames, and that is said") {
    const TempDir folder;
    make_frames(folder);
    if (run_glproc(folder.path(), {"profile", "a2.png", "wide.png", "--to", "display-p3"}).status != 0) {
        return; // a build without colour management
    }
    const Words blend{"blend", "--with", "wide.png", "--mode", "difference"};
    const ProgramResult done = run_glproc(folder.path(), Words{"video", "in.mkv", "b%d.png"} + blend);
    CHECK(done.status == 0);
    CHECK(done.err.find("glproc: warning: wide.png: its colours become those of sRGB\n") != std::string::npos);
    make(folder, {"blend", "a3.png", "right.png", "--with", "wide.png", "--mode", "difference"});
    CHECK(are_same(folder, "b3.png", "right.png"));
}

TEST_CASE("video: the number of a frame and its time are written on it") {
    const TempDir folder;
    make_frames(folder);
    if (run_glproc(folder.path(), {"draw", "a1.png", "right.png", "--text", "1"}).status != 0) {
        WARN("draw has no module here");
        return;
    }
    must_work(folder, {"a%d.png", "b%d.png", "--fps", "0.5", "draw", "--size", "8", "--text", "{frame} {{ {time}"});
    for (int i = 1; i <= frames; ++i) {
        INFO(i);
        make(folder, {"draw", numbered("a", i), "right.png", "--size", "8", "--text",
                      fmt::format("{} {{{{ 0:00:{:02}.000", i - 1, 2 * (i - 1))});
        CHECK(are_same(folder, numbered("b", i), "right.png"));
    }
}

TEST_CASE("video: what cannot be over time is refused before any work") {
    const TempDir folder;
    make_frames(folder);
    const auto refused = [&](const Words& words, const std::string& error) {
        const ProgramResult result = run_without_gpu(folder.path(), words);
        INFO(error);
        CHECK(result.status == 2);
        CHECK(result.err.starts_with("glproc: error: " + error));
    };
    const Words video{"video", "in.mkv", "out.mkv", "--codec", "ffv1"};
    refused({"denoise", "a1.png", "out.png", "--frames", "3"},
            "--frames is for videos: a single image has no frames around it\n"
            "  hint: glproc video in.mp4 out.mp4 denoise --frames 3\n");
    refused({"pipe", "a1.png", "out.png", "denoise", "--frames", "3"}, "--frames is for videos");
    refused({"pipe", "a1.png", "out.png", "blur", "--sigma", "1", "at", "2s", "--sigma", "3"},
            "'at' gives values at times, which only videos have");
    refused(video + Words{"denoise", "--frames", "4"}, "--frames 4 has no frame in its middle\n  hint: an odd number: --frames 5\n");
    refused(video + Words{"denoise", "--frames", "17"}, "--frames 17 ");
    refused(video + Words{"stack", "--by", "median"}, "stack needs --frames in a video");
    refused(video + Words{"stack", "--frames", "3", "--weights", "1,2"}, "2 weights for 3 images");
    refused({"video", "in.mkv", "out.png", "--frame", "2", "denoise", "--frames", "3"},
            "--frame reads one frame, but an operation looks at those around it");
    refused({"video", "in.mkv", "out.png", "--frame", "2", "blur", "--sigma", "0..3"},
            "--frame reads one frame, but a value changes from frame to frame");
    refused(video + Words{"blur", "--sigma", "0..-3"}, "--sigma -3 ");
    refused(video + Words{"blur", "--sigma", "1", "at", "soon", "--sigma", "3"}, "at needs a time and values");
    refused(video + Words{"blur", "--sigma", "1", "at", "2s"}, "at needs a time and values");
    refused(video + Words{"blur", "--sigma", "1", "at", "2s", "--size", "3"}, "'--size' after at TIME is no value of blur");
    refused(video + Words{"blur", "--sigma", "1", "at", "2s", "--sigma", "3", "at", "1s", "--sigma", "4"},
            "--sigma at 1s: times must grow");
    refused(video + Words{"blur", "--sigma", "1", "--border", "clamp", "at", "2s", "--border", "wrap"},
            "--border cannot go from clamp to wrap: only numbers change evenly");
    refused(video + Words{"crop", "--rect", "0,0,20,10..0,0,30,10"}, "--rect 0,0,30,10 changes the size of the result");
}
