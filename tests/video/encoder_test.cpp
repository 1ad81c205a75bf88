// glproc video --encoder, and --format null.
#include "video/video_program.hpp"

#include <iterator>

#include <fmt/format.h>

using namespace glproc;
using namespace glproc::test;

namespace {

ProgramResult loud(const TempDir& folder, const Words& words) {
    return run_glproc(folder.path(), Words{"video"} + words);
}

std::string codec_of(const TempDir& folder, const std::string& video) {
    return ffprobe(folder.path(), {"-select_streams", "v:0", "-show_entries", "stream=codec_name", "-of",
                                   "csv=p=0", video});
}

void make_video(const TempDir& folder) {
    ffmpeg(folder.path(), test_picture("96x64", "0.2") + x264 + Words{"-pix_fmt", "yuv420p", "in.mp4"});
}

} // namespace

TEST_CASE("video: an encoder that cannot be used is replaced by the usual one, with a word") {
    const TempDir folder;
    make_video(folder);
    // None of them runs on a machine without its device; where one does, there is nothing to say.
    for (const std::string name : {"h264_nvenc", "hevc_qsv", "h264_vaapi", "av1_amf", "h264_videotoolbox"}) {
        INFO(name);
        const ProgramResult result = loud(folder, {"in.mp4", "out.mkv", "--encoder", name, "--preset", "p4", "invert"});
        INFO(result.err);
        REQUIRE(result.status == 0);
        const std::string codec = name.starts_with("h264") ? "h264" : name.starts_with("hevc") ? "hevc" : "av1";
        CHECK(codec_of(folder, "out.mkv").starts_with(codec));
        if (!result.err.empty()) {
            CHECK(result.err.starts_with(fmt::format("glproc: warning: {} cannot be used here (", name)));
            CHECK(result.err.find("encodes instead") != std::string::npos);
        }
        CHECK(frame_times(folder, "out.mkv") == frame_times(folder, "in.mp4"));
    }
}

TEST_CASE("video: any encoder of a codec may be named, with its own options") {
    const TempDir folder;
    make_video(folder);
    const ProgramResult usual = loud(folder, {"in.mp4", "usual.mp4", "--encoder", "libx264", "--crf", "18", "invert"});
    CHECK(usual.status == 0);
    CHECK(usual.err.empty());
    must_work(folder, {"in.mp4", "same.mp4", "--crf", "18", "invert"});
    CHECK(raw_frames(folder.path(), "usual.mp4", "yuv420p") == raw_frames(folder.path(), "same.mp4", "yuv420p"));
    if (tool("/usr/bin/ffmpeg", {"-v", "error", "-encoders"}, folder.path()).find("libaom-av1") != std::string::npos) {
        const ProgramResult other =
            loud(folder, {"in.mp4", "aom.mkv", "--encoder", "libaom-av1", "--crf", "30", "--preset", "8", "invert"});
        INFO(other.err);
        CHECK(other.status == 0);
        CHECK(other.err.empty());
        CHECK(codec_of(folder, "aom.mkv").starts_with("av1"));
    }
}

TEST_CASE("video: encoders that are none, or of another codec, are refused") {
    const TempDir folder;
    make_video(folder);
    const auto refused = [&](const Words& words, const std::string& why) {
        const ProgramResult result = loud(folder, Words{"in.mp4", "out.mp4"} + words);
        INFO(result.err);
        CHECK(result.status == 2);
        CHECK(result.err.starts_with("glproc: error: " + why));
    };
    refused({"--encoder", "libx265x"}, "unknown encoder 'libx265x' (did you mean 'libx265'?)");
    refused({"--encoder", "mpeg2video"}, "--encoder mpeg2video is for none of the codecs");
    refused({"--encoder", "libx264", "--codec", "h265"}, "--encoder libx264 is for h264, not for h265");
    refused({"--encoder", "libx264", "--preset", "p4"}, "unknown --preset 'p4'");
}

TEST_CASE("video: --format null makes frames and writes nothing") {
    const TempDir folder;
    make_video(folder);
    for (const Words& words : {Words{"blur", "--sigma", "2"}, {"--in", "yuv", "blur", "--sigma", "2"}, {"--to-sdr"}, {}}) {
        const ProgramResult result = loud(folder, Words{"in.mp4", "-", "--format", "null", "-v"} + words);
        INFO(result.err);
        CHECK(result.status == 0);
        CHECK(result.out.empty());
        CHECK(result.err.find("5 frames") != std::string::npos);
    }
    CHECK(std::distance(std::filesystem::directory_iterator(folder.path()), {}) == 1);
}

TEST_CASE("video --encoder-option: a bit rate is not overruled by the usual quality") {
    const TempDir folder;
    ffmpeg(folder.path(), test_picture("320x180", "2") + x264 + Words{"-pix_fmt", "yuv420p", "in.mp4"});
    for (const std::string codec : {"h264", "h265", "av1", "vp9"}) {
        INFO(codec);
        std::vector<std::uintmax_t> sizes;
        for (const char* rate : {"b=60k", "b=2M"}) {
            must_work(folder, {"in.mp4", "out.mkv", "--codec", codec, "--encoder-option", rate});
            sizes.push_back(std::filesystem::file_size(folder / "out.mkv"));
        }
        CHECK(sizes[0] * 2 < sizes[1]);
    }
    must_work(folder, {"in.mp4", "fine.mkv", "--encoder-option", "qp=10"});
    must_work(folder, {"in.mp4", "coarse.mkv", "--encoder-option", "qp=45"});
    CHECK(std::filesystem::file_size(folder / "coarse.mkv") * 2 <
          std::filesystem::file_size(folder / "fine.mkv"));
    const ProgramResult both =
        run_video(folder, {"in.mp4", "no.mp4", "--crf", "20", "--encoder-option", "b=100k"});
    CHECK(both.status == 2);
    CHECK(both.err ==
          "glproc: error: --crf and --encoder-option b=100k both say how large libx264 makes its frames\n"
          "  hint: leave one of them out\n");
    CHECK(run_video(folder, {"in.mp4", "no.mp4", "--crf", "10", "--encoder-option", "crf=40"}).status == 2);
}
