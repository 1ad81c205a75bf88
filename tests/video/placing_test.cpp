// glproc video: crop, pad, flip and rotate keep the codes of frames.
#include "video/video_program.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <libavformat/version.h>

using namespace glproc;
using namespace glproc::test;

namespace {

/// A video of three frames with noise in all planes, and far from the ends of codes where filters would be cut
/// off.
struct Video {
    std::string format = "yuv420p";
    int width = 64;
    int height = 48;
    std::string range = "tv";
    std::string location = "left";

    int across() const { return format.find("444") == format.npos ? 2 : 1; }
    int down() const { return format.find("420") == format.npos ? 1 : 2; }
    int bytes() const { return format.find("p10") == format.npos ? 1 : 2; }

    void make(const TempDir& folder) const {
        const std::string full = fmt::format("yuv444p{}", bytes() == 2 ? "10le" : "");
        ffmpeg(
            folder.path(),
            test_picture("160x120", "0.12") +
                Words{
                    "-vf",
                    fmt::format(
                        "format={},noise=alls=12:allf=t,lutyuv=val/2+maxval/4:val/2+maxval/4:val/2+maxval/4,"
                        "crop={}:{},format={},setparams=range={}:colorspace=smpte170m{}",
                        full, width, height, format, range, LIBAVFORMAT_VERSION_MAJOR < 61 ? "" : ":chroma_location=" + location),
                    "-chroma_sample_location", location, "-color_range", range, "-c:v", "ffv1", "in.mkv"});
    }
};

/// What ffmpeg says of the frames: one entry.
std::string said_of(const TempDir& folder, const std::string& video, const std::string& entry) {
    const std::string text = ffprobe(folder.path(), {"-select_streams", "v:0", "-show_entries",
                                                     "stream=" + entry, "-of", "default=nw=1:nk=1", video});
    return text.substr(0, text.find('\n'));
}

struct Plane {
    int width = 0;
    int height = 0;
    std::vector<int> codes = {};
    int at(int x, int y) const {
        return codes[static_cast<std::size_t>(std::clamp(y, 0, height - 1) * width +
                                              std::clamp(x, 0, width - 1))];
    }
};

/// Of the second frame.
std::array<Plane, 3> planes_of(const TempDir& folder, const std::string& video, const Video& like) {
    const int w = std::stoi(said_of(folder, video, "width"));
    const int h = std::stoi(said_of(folder, video, "height"));
    REQUIRE(said_of(folder, video, "pix_fmt") == like.format);
    const Plane luma{w, h};
    const Plane chroma{(w + like.across() - 1) / like.across(), (h + like.down() - 1) / like.down()};
    std::array<Plane, 3> planes{luma, chroma, chroma};
    const std::string raw = raw_frames(folder.path(), video, like.format);
    const auto bytes = static_cast<std::size_t>(like.bytes());
    const auto code = [&](std::size_t i) {
        const auto byte = [&](std::size_t at) {
            return static_cast<int>(static_cast<unsigned char>(raw.at(at)));
        };
        return bytes == 1 ? byte(i) : byte(2 * i) + 256 * byte(2 * i + 1);
    };
    std::size_t at = raw.size() / bytes / 3;
    for (Plane& plane : planes) {
        for (int i = 0; i < plane.width * plane.height; ++i) {
            plane.codes.push_back(code(at++));
        }
    }
    return planes;
}

std::size_t differing(const Plane& a, const Plane& b) {
    REQUIRE(a.width == b.width);
    REQUIRE(a.height == b.height);
    std::size_t count = 0;
    for (std::size_t i = 0; i < a.codes.size(); ++i) {
        count += a.codes[i] != b.codes[i] ? 1 : 0;
    }
    return count;
}

/// glproc beside ffmpeg's filter.
void check_beside(const TempDir& folder, const Video& video, const Words& operation,
                  const std::string& filter) {
    must_work(folder, Words{"in.mkv", "out.mkv", "--codec", "ffv1"} + operation);
    ffmpeg(folder.path(), {"-i", "in.mkv", "-vf", filter, "-color_range", video.range, "-c:v", "ffv1", "right.mkv"});
    const auto out = planes_of(folder, "out.mkv", video);
    const auto right = planes_of(folder, "right.mkv", video);
    for (std::size_t i = 0; i < 3; ++i) {
        INFO(video.format << " " << video.width << " " << video.range << " " << filter << " plane " << i);
        CHECK(differing(out.at(i), right.at(i)) == 0);
    }
    CHECK(said_of(folder, "out.mkv", "color_range") == video.range);
}

double keys(double t) {
    t = std::abs(t);
    return t <= 1  ? 1.5 * t * t * t - 2.5 * t * t + 1
           : t < 2 ? -0.5 * t * t * t + 2.5 * t * t - 4 * t + 2
                   : 0;
}

/// Between samples, by Keys' cubic, which is widened where the result has fewer.
double value_at(const Plane& plane, double x, double y, double wide_x = 1, double wide_y = 1) {
    double sum = 0;
    double weights = 0;
    for (int j = static_cast<int>(std::floor(y)) - 4; j <= y + 4; ++j) {
        for (int i = static_cast<int>(std::floor(x)) - 4; i <= x + 4; ++i) {
            const double weight = keys((i - x) / wide_x) * keys((j - y) / wide_y);
            sum += weight * plane.at(i, j);
            weights += weight;
        }
    }
    return sum / weights;
}

/// Values are rounded once along each axis; the second filter has weights of 1.25 in all.
constexpr double rounded_twice = 0.5 * 1.25 + 0.5 + 1e-6;

/// Chroma of the result is that of the source at a place, in samples of the source's plane.
using Place = std::function<std::array<double, 2>(int x, int y)>;
void check_chroma(const TempDir& folder, const Video& video, const Place& place, double wide_x = 1,
                  double wide_y = 1) {
    const auto in = planes_of(folder, "in.mkv", video);
    const auto out = planes_of(folder, "out.mkv", video);
    for (std::size_t i = 1; i < 3; ++i) {
        double worst = 0;
        for (int y = 0; y < out.at(i).height; ++y) {
            for (int x = 0; x < out.at(i).width; ++x) {
                const auto [from_x, from_y] = place(x, y);
                worst = std::max(
                    worst, std::abs(value_at(in.at(i), from_x, from_y, wide_x, wide_y) - out.at(i).at(x, y)));
            }
        }
        CHECK(worst <= rounded_twice);
        CHECK(worst > 0); // or this is no test of what lies between samples
    }
}

void check_luma(const TempDir& folder, const Video& video, const std::string& filter) {
    ffmpeg(folder.path(), {"-i", "in.mkv", "-vf", "extractplanes=y," + filter, "-color_range", video.range, "-c:v", "ffv1", "right.mkv"});
    const bool deep = video.bytes() == 2;
    ffmpeg(folder.path(), {"-i", "out.mkv", "-vf", "extractplanes=y", "-color_range", video.range, "-c:v", "ffv1", "luma.mkv"});
    const std::string format = deep ? "gray10le" : "gray";
    CHECK(raw_frames(folder.path(), "luma.mkv", format) == raw_frames(folder.path(), "right.mkv", format));
}

} // namespace

TEST_CASE("video: crop, pad, flip and rotate give the codes of ffmpeg's filters") {
    const TempDir folder;
    for (const std::string format : {"yuv420p", "yuv422p", "yuv444p", "yuv420p10le"}) {
        for (const std::string range : {"tv", "pc"}) {
            const Video even{.format = format, .range = range};
            even.make(folder);
            check_beside(folder, even, {"crop", "--rect", "4,2,41,31"}, "crop=41:31:4:2:exact=1");
            check_beside(folder, even, {"flip", "y"}, "vflip");
            if (format != "yuv422p") {
                check_beside(folder, even, {"rotate", "90"},
                             "transpose=clock"); // by 90 degrees chroma is then at the top
            }
        }
        const Video odd{.format = format, .width = 65, .height = 47};
        odd.make(folder);
        check_beside(folder, odd, {"flip", "x"}, "hflip");
        check_beside(folder, odd, {"crop", "--size", "40x30+2+4", "then", "flip", "y"},
                     "crop=40:30:2:4,vflip");
    }
    const Video video{.format = "yuv444p"};
    video.make(folder);
    check_beside(folder, video, {"crop", "--rect", "3,1,40,30"}, "crop=40:30:3:1");
    check_beside(folder, video, {"flip", "x"}, "hflip");
    check_beside(folder, video, {"rotate", "180"}, "hflip,vflip");
    check_beside(folder, video, {"rotate", "270"}, "transpose=cclock");
    check_beside(folder, video, {"pad", "--margin", "3,1,2,5", "--border", "mirror"},
                 "pad=iw+5:ih+6:3:1,fillborders=3:2:1:5:reflect");
    const Video centred{.width = 64, .location = "center"};
    centred.make(folder);
    check_beside(folder, centred, {"flip", "x"}, "hflip");
    check_beside(folder, centred, {"rotate", "180"}, "hflip,vflip");
    check_beside(folder, centred, {"rotate", "-90"}, "transpose=cclock");
    CHECK(said_of(folder, "out.mkv", "chroma_location") == "center");
}

TEST_CASE("video: a margin has the codes of its colour, and the frame within it its own") {
    const TempDir folder;
    for (const std::string format : {"yuv420p", "yuv444p", "yuv420p10le"}) {
        Video{.format = format}.make(folder);
        check_beside(folder, {.format = format}, {"pad", "--margin", "4,2,6,8"},
                     format == "yuv420p10le"
                         ? "pad=74:58:4:2:0x000000,"
                           "geq=lum='lum(X,Y)':cb='if(between(X,2,33)*between(Y,1,24),cb(X,Y),512)':cr='if("
                           "between(X,2,33)*between(Y,1,24),cr(X,Y),512)'"
                         : "pad=74:58:4:2:black");
        for (const std::string range : {"tv", "pc"}) {
            Video{.format = format, .range = range}.make(folder);
            for (const std::string colour : {"black", "#e04010", "white"}) {
                INFO(format << " " << range << " " << colour);
                const Words pad{"pad", "--margin", "8", "--background", colour};
                must_work(folder, Words{"in.mkv", "out.mkv", "--codec", "ffv1"} + pad);
                must_work(folder, Words{"in.mkv", "rgb.mkv", "--codec", "ffv1", "--in", "rgb"} + pad);
                const auto out = planes_of(folder, "out.mkv", {.format = format});
                const auto rgb = planes_of(folder, "rgb.mkv", {.format = format});
                for (std::size_t i = 0; i < 3; ++i) {
                    CHECK(out.at(i).at(0, 0) == rgb.at(i).at(0, 0));
                    CHECK(out.at(i).at(1, out.at(i).height - 1) == rgb.at(i).at(0, 0));
                }
            }
        }
    }
}

TEST_CASE("video: chroma that finds no place of its own is interpolated, and luma keeps its codes") {
    const TempDir folder;
    for (const std::string format : {"yuv420p", "yuv420p10le"}) {
        const Video video{.format = format};
        video.make(folder);
        must_work(folder, {"in.mkv", "out.mkv", "--codec", "ffv1", "flip",
                           "x"}); // chroma lies on columns 0, 2 … of 64, and on 63, 61 …
        check_luma(folder, video, "hflip");
        check_chroma(folder, video, [](int x, int y) { return std::array{31.5 - x, double(y)}; });
        must_work(folder, {"in.mkv", "out.mkv", "--codec", "ffv1", "crop", "--rect", "3,5,40,30"});
        check_luma(folder, video, "crop=40:30:3:5");
        check_chroma(folder, video, [](int x, int y) { return std::array{1.5 + x, 2.5 + y}; });
        must_work(folder, {"in.mkv", "out.webm", "rotate", "270", "--crf",
                           "4"}); // which cannot say that chroma is at the top
        CHECK(said_of(folder, "out.webm", "chroma_location") == "left");
    }
    const Video video;
    video.make(folder);
    must_work(folder, {"in.mkv", "out.mkv", "--codec", "ffv1", "pad", "--margin", "1,3,5,7"});
    const bool pads_with_limits = LIBAVFORMAT_VERSION_MAJOR < 61; // grey is of full range from FFmpeg 7 on
    check_luma(folder, video, pads_with_limits ? "pad=70:58:1:3:black" : "pad=70:58:1:3:0x101010");
    const auto in = planes_of(folder, "in.mkv", video);
    const auto out = planes_of(folder, "out.mkv", video);
    for (std::size_t i = 1; i < 3; ++i) {
        CHECK(out.at(i).at(0, 10) == 128);  // a column of luma before the frame
        CHECK(out.at(i).at(33, 10) == 128); // beyond column 64, the last of the frame
        CHECK(out.at(i).at(10, 0) == 128);
        CHECK(std::abs(out.at(i).at(32, 10) - value_at(in.at(i), 31.5, 8.5)) <= rounded_twice);
        CHECK(std::abs(out.at(i).at(1, 10) - value_at(in.at(i), 0.5, 8.5)) <= rounded_twice);
    }
    const Video columns{.format = "yuv422p"};
    columns.make(folder);
    must_work(folder, {"in.mkv", "out.mkv", "--codec", "ffv1", "rotate", "90"});
    check_luma(folder, columns, "transpose=clock");
    // Of 48 columns of the result every other one has chroma, of a row of the source; its rows are the
    // source's columns.
    check_chroma(
        folder, columns,
        [](int x, int y) {
            return std::array{y / 2.0, 47.0 - 2 * x};
        },
        1, 2);
}

TEST_CASE("video: the file says where the chroma of a turned frame lies") {
    const TempDir folder;
    Video{.width = 96, .height = 80}.make(folder); // x265 4.1 breaks on widths below 64
    for (const std::string codec : {"h264", "h265", "ffv1"}) {
        INFO(codec);
        must_work(folder, {"in.mkv", "out.mkv", "--codec", codec, "rotate", "90"});
        CHECK(said_of(folder, "out.mkv", "chroma_location") == "top");
        must_work(folder, {"in.mkv", "back.mkv", "--codec", codec, "rotate", "90", "then", "rotate", "270"});
        CHECK(said_of(folder, "back.mkv", "chroma_location") == "left");
    }
    CHECK(raw_frames(folder.path(), "back.mkv", "yuv420p") == raw_frames(folder.path(), "in.mkv", "yuv420p"));
    must_work(folder, {"out.mkv", "again.mkv", "--codec", "ffv1", "rotate", "270"});
    CHECK(raw_frames(folder.path(), "again.mkv", "yuv420p") ==
          raw_frames(folder.path(), "in.mkv", "yuv420p"));
    CHECK(said_of(folder, "again.mkv", "chroma_location") == "left");
}

TEST_CASE("video: pixels are placed without RGB while values change, and beside filters only when asked") {
    const TempDir folder;
    const Video video;
    video.make(folder);
    must_work(folder, {"in.mkv", "out.mkv", "--codec", "ffv1", "crop", "--rect", "0,0,20,20", "at", "0.08s",
                       "--rect", "8,4,20,20"});
    ffmpeg(folder.path(), {"-i", "in.mkv", "-vf", "crop=20:20:4*n:2*n", "-c:v", "ffv1", "right.mkv"});
    CHECK(raw_frames(folder.path(), "out.mkv", "yuv420p") ==
          raw_frames(folder.path(), "right.mkv", "yuv420p"));
    const auto frames = [&](const Words& words) {
        must_work(folder, Words{"in.mkv", "out.mkv", "--codec", "ffv1"} + words);
        return raw_frames(folder.path(), "out.mkv", "yuv420p");
    };
    const Words chain{"crop", "--rect", "4,2,40,30", "then", "blur", "--sigma", "1"};
    CHECK(frames(chain) == frames(Words{"--in", "rgb"} + chain));
    CHECK(frames(chain) != frames(Words{"--in", "yuv"} + chain));
    CHECK(frames({"crop", "--rect", "4,2,40,30"}) == frames({"--in", "yuv", "crop", "--rect", "4,2,40,30"}));
    CHECK(frames({"crop", "--rect", "4,2,40,30"}) != frames({"--in", "rgb", "crop", "--rect", "4,2,40,30"}));
    CHECK(frames({"rotate", "0..90", "--keep-size"}) ==
          frames({"--in", "rgb", "rotate", "0..90", "--keep-size"}));
    const Words mirrored{"pad", "--margin", "4", "--border", "mirror"};
    CHECK(frames(mirrored) == frames(Words{"--in", "rgb"} + mirrored));
}

TEST_CASE("video: what keeps pixels that only change places from their codes is said") {
    const TempDir folder;
    Video{}.make(folder);
    const ProgramResult said = run_glproc(folder.path(), {"video", "in.mkv", "out.mkv", "--codec", "ffv1",
                                                          "pad", "--margin", "4", "--border", "mirror"});
    CHECK(said.status == 0);
    CHECK(said.err.find("glproc: warning: in.mkv: frames go through RGB, which changes values a little: pad "
                        "--border mirror is not") != std::string::npos);
    const ProgramResult refused = run_video(folder, {"in.mkv", "out.mkv", "--in", "yuv", "rotate", "45"});
    CHECK(refused.status == 2);
    CHECK(refused.err.starts_with("glproc: error: rotate by 45 degrees is not for planes"));
    const ProgramResult moving =
        run_video(folder, {"in.mkv", "out.mkv", "--in", "yuv", "rotate", "0..90", "--keep-size"});
    CHECK(moving.status == 2);
    CHECK(moving.err.starts_with("glproc: error: rotate with an --angle that changes does not work in YUV"));
}

TEST_CASE("video: frames that are stored turned become upright without RGB") {
    const TempDir folder;
    ffmpeg(folder.path(), test_picture("96x64", "0.12") +
                              Words{"-vf", "noise=alls=12:allf=t,format=yuv420p"} + x264 +
                              Words{"-qp", "0", "stored.mp4"});
    const Words ffv1{"--codec", "ffv1"};
    const Video video;
    for (const Words& operation : {Words{}, Words{"crop", "--rect", "4,2,40,30"}}) {
        int exact = 0;
        for (const int degrees : {90, 180, 270}) {
            INFO(degrees);
            ffmpeg(folder.path(), turned("stored.mp4", degrees, "in.mp4"));
            must_work(folder, Words{"in.mp4", "out.mkv"} + ffv1 + operation);
            ffmpeg(folder.path(), {"-i", "in.mp4", "-vf", operation.empty() ? "null" : "crop=40:30:4:2",
                                   "-c:v", "ffv1", "right.mkv"});
            const auto out = planes_of(folder, "out.mkv", video);
            const auto right = planes_of(folder, "right.mkv", video);
            CHECK(differing(out[0], right[0]) == 0);
            exact += differing(out[1], right[1]) + differing(out[2], right[2]) == 0 ? 1 : 0;
            CHECK(said_of(folder, "out.mkv", "chroma_location") == (degrees == 180 ? "left" : "top"));
        }
        CHECK(exact == 1); // by a quarter turn clockwise
    }
    must_work(folder, Words{"in.mp4", "yuv.mkv", "--in", "yuv"} + ffv1 + Words{"blur", "--sigma", "2"});
    must_work(folder, Words{"in.mp4", "upright.mkv"} + ffv1);
    must_work(folder,
              Words{"upright.mkv", "right.mkv", "-y", "--in", "yuv"} + ffv1 + Words{"blur", "--sigma", "2"});
    CHECK(raw_frames(folder.path(), "yuv.mkv", "yuv420p") ==
          raw_frames(folder.path(), "right.mkv", "yuv420p"));
}
