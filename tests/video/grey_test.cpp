// glproc video: frames without colour are images of one channel.
#include "glproc/files/codec.hpp"
#include "video/video_program.hpp"

#include <algorithm>
#include <filesystem>
#include <set>
#include <string>

#include <fmt/format.h>

using namespace glproc;
using namespace glproc::test;

namespace {

void make_video(const TempDir& folder, const std::string& name, const std::string& format,
               const std::string& range = "pc") {
    const std::string full = format.starts_with("gray") ? format : "yuv444p";
    ffmpeg(folder.path(),
           test_picture("160x120", "0.12") +
               Words{"-vf",
                     fmt::format("format={},noise=alls=12:allf=t,lutyuv=y=val/2+maxval/"
                                 "4,crop=93:61,format={},setparams=range={}:colorspace=smpte170m",
                                 full, format, range),
                     "-color_range", range, "-c:v", "ffv1", name});
}

/// The first of these is the pixel format.
std::string format_of_video(const TempDir& folder, const std::string& video) {
    const std::string said = ffprobe(folder.path(), {"-select_streams", "v:0", "-show_entries",
                                                     "stream=pix_fmt,color_range", "-of", "csv=p=0", video});
    return said.substr(0, said.find('\n'));
}

std::string plane_of(const TempDir& folder, const std::string& video, const std::string& plane) {
    return ffmpeg(folder.path(), {"-i", video, "-vf", "extractplanes=" + plane, "-f", "rawvideo", "-"});
}

/// The operation on the video's frames, and on the same frames as images.
void check_beside_images(const TempDir& folder, const std::string& format, const Words& operation) {
    must_work(folder, Words{"in.mkv", "out.mkv", "--codec", "ffv1"} + operation);
    CHECK(format_of_video(folder, "out.mkv") == format + ",pc");
    must_work(folder, {"in.mkv", "frame-%d.png"});
    std::string right;
    for (int i = 1; i <= 3; ++i) {
        const std::string made = fmt::format("made-{}.png", i);
        const ProgramResult result =
            run_glproc(folder.path(), Words{operation[0], fmt::format("frame-{}.png", i), made} +
                                          Words(operation.begin() + 1, operation.end()));
        INFO(result.err);
        REQUIRE(result.status == 0);
        REQUIRE(load(folder / made).channels() == 1);
        right += ffmpeg(folder.path(), {"-i", made, "-f", "rawvideo", "-pix_fmt", format, "-"});
    }
    CHECK((raw_frames(folder.path(), "out.mkv", format) == right));
}

} // namespace

TEST_CASE(
    "video: a grey film gives the codes that the operation gives its frames as images, and stays grey") {
    const TempDir folder;
    for (const std::string format : {"gray", "gray16le"}) {
        INFO(format);
        make_video(folder, "in.mkv", format);
        check_beside_images(folder, format, {"blur", "--sigma", "2"});
        check_beside_images(folder, format, {"levels", "--black", "0.2", "--white", "0.7"});
        check_beside_images(folder, format, {"pad", "--margin", "3,1,2,5", "--background", "#808080"});
        must_work(folder, {"in.mkv", "grey.mkv", "--codec", "ffv1", "blur", "--sigma", "2"});
        must_work(folder, {"in.mkv", "colour.mkv", "--codec", "ffv1", "--in", "rgb", "blur", "--sigma", "2"});
        CHECK(format_of_video(folder, "colour.mkv").starts_with("yuv420p"));
        CHECK(std::filesystem::file_size(folder / "grey.mkv") <
              std::filesystem::file_size(folder / "colour.mkv"));
        CHECK((plane_of(folder, "colour.mkv", "y") == raw_frames(folder.path(), "grey.mkv", format)));
    }
}

TEST_CASE("video: grey keeps its range and its bits") {
    const TempDir folder;
    for (const std::string format : {"gray", "gray10le", "gray12le", "gray16le"}) {
        for (const std::string range : {"tv", "pc"}) {
            INFO(format << " " << range);
            make_video(folder, "in.mkv", format, range);
            must_work(folder, Words{"in.mkv", "out.mkv", "--codec", "ffv1"} + identity);
            CHECK(format_of_video(folder, "out.mkv") == format + "," + range);
            const std::string before = raw_frames(folder.path(), "in.mkv", format);
            CHECK((raw_frames(folder.path(), "out.mkv", format) == before));
        }
    }
    make_video(folder, "in.mkv", "gray10le", "tv");
    must_work(folder, {"in.mkv", "still.png", "--frame", "1"});
    const Image still = load(folder / "still.png");
    CHECK(still.channels() == 1);
    CHECK(still.depth() == Depth::u16);
    const std::string raw = raw_frames(folder.path(), "in.mkv", "gray10le").substr(2 * 93 * 61);
    for (const int x : {0, 40, 92}) {
        const auto at = static_cast<std::size_t>(2 * (30 * 93 + x));
        const int code = static_cast<unsigned char>(raw[at]) + 256 * static_cast<unsigned char>(raw[at + 1]);
        CHECK(still.at(x, 30, 0) ==
              std::clamp<int>(static_cast<int>(std::lround((code - 64) * 65535.0 / 876)), 0, 65535));
    }
}

TEST_CASE("video: grey beside colour has colour") {
    const TempDir folder;
    make_video(folder, "grey.mkv", "gray", "tv");
    make_video(folder, "colour.mkv", "yuv420p", "tv");
    const std::string no_colour(std::size_t{47} * 31 * 3, '\x80');
    const Words ffv1{"--codec", "ffv1"};
    for (const Words& operation : {Words{}, identity}) {
        must_work(folder, Words{"grey.mkv", "joined.mkv", "--append", "colour.mkv"} + ffv1 + operation);
        REQUIRE(format_of_video(folder, "joined.mkv") == "yuv420p,tv");
        const std::string chroma = plane_of(folder, "joined.mkv", "u");
        CHECK((chroma.substr(0, no_colour.size()) == no_colour));
        CHECK(std::set<char>(chroma.begin() + static_cast<std::ptrdiff_t>(no_colour.size()), chroma.end())
                  .size() > 50);
        must_work(folder, Words{"colour.mkv", "joined.mkv", "--append", "grey.mkv"} + ffv1 + operation);
        CHECK((plane_of(folder, "joined.mkv", "u").substr(no_colour.size()) == no_colour));
    }
    must_work(folder, Words{"grey.mkv", "joined.mkv", "--append", "grey.mkv"} + ffv1 + identity);
    CHECK(format_of_video(folder, "joined.mkv") == "gray,tv");
    must_work(folder, Words{"grey.mkv", "blended.mkv"} + ffv1 + Words{"blend", "--with", "colour.mkv"});
    CHECK(format_of_video(folder, "blended.mkv") == "yuv420p,tv");
    must_work(folder, Words{"colour.mkv", "blended.mkv"} + ffv1 + Words{"blend", "--with", "grey.mkv"});
    CHECK(format_of_video(folder, "blended.mkv") == "yuv420p,tv");
    must_work(folder, Words{"grey.mkv", "blended.mkv"} + ffv1 + Words{"blend", "--with", "grey.mkv"});
    CHECK(
        (raw_frames(folder.path(), "blended.mkv", "gray") == raw_frames(folder.path(), "grey.mkv", "gray")));
    must_work(folder, Words{"colour.mkv", "gray.mkv"} + ffv1 + Words{"gray"});
    CHECK(format_of_video(folder, "gray.mkv") == "gray,tv");
}

TEST_CASE("video: grey goes on as colour where the output has none, and where colours are asked for") {
    const TempDir folder;
    make_video(folder, "in.mkv", "gray");
    for (const std::string out : {"out.mp4", "out.webm"}) {
        INFO(out);
        must_work(folder, {"in.mkv", out, "--even", "blur", "--sigma", "1"});
        const std::string chroma = plane_of(folder, out, "u");
        CHECK(std::all_of(chroma.begin(), chroma.end(),
                          [](char code) { return std::abs(static_cast<unsigned char>(code) - 128) <= 1; }));
    }
    must_work(folder, {"in.mkv", "out.gif", "blur", "--sigma", "1"});
    must_work(folder, {"in.mkv", "out.webp"});
    const Words red{"pad", "--margin", "4", "--background", "red"};
    const ProgramResult refused = run_video(folder, Words{"in.mkv", "out.mkv", "--codec", "ffv1"} + red);
    CHECK(refused.status == 2);
    CHECK(refused.err.find("is a colour, but the image is grey") != std::string::npos);
    must_work(folder, Words{"in.mkv", "out.mkv", "--codec", "ffv1", "--in", "rgb"} + red);
    CHECK(format_of_video(folder, "out.mkv") == "yuv420p,pc");
}
