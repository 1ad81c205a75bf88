// Videos as they are read: what ffmpeg says of them, and the same samples.
#include "video/read/video_reader.hpp"

#include "glproc/base/error.hpp"
#include "video/video_program.hpp"

#include <cmath>
#include <set>

using namespace glproc;
using namespace glproc::test;
using namespace glproc::video;

namespace {

std::string bytes_of(const Planes& planes) {
    std::string bytes;
    for (const Image& plane : planes) {
        bytes.append(reinterpret_cast<const char*>(plane.bytes().data()), plane.bytes().size());
    }
    return bytes;
}

std::string all_frames(VideoReader& video) {
    std::string bytes;
    while (const std::optional<FrameData> frame = video.next()) {
        bytes += bytes_of(frame->planes);
    }
    return bytes;
}

std::string why_not(const std::filesystem::path& path) {
    try {
        VideoReader video(path.string());
        while (video.next()) {
        }
    } catch (const Error& error) {
        CHECK(error.code() == ErrorCode::input);
        return std::string(error.what()).substr(path.string().size());
    }
    return "it is whole";
}

void cut(const std::filesystem::path& from, const std::filesystem::path& to, double share) {
    std::ifstream in(from, std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
    std::ofstream(to, std::ios::binary)
        << bytes.substr(0, static_cast<std::size_t>(share * static_cast<double>(bytes.size())));
}

} // namespace

TEST_CASE("reader: the samples that ffmpeg decodes, of every layout") {
    const TempDir folder;
    for (const auto& [stored, planar] : {std::pair<std::string, std::string>{"yuv420p", "yuv420p"},
                                         {"yuv422p", "yuv422p"},
                                         {"yuv444p", "yuv444p"},
                                         {"yuv440p", "yuv440p"},
                                         {"yuv420p10le", "yuv420p10le"},
                                         {"yuv422p12le", "yuv422p12le"},
                                         {"yuv444p16le", "yuv444p16le"},
                                         {"bgr0", "gbrp"},
                                         {"gbrp10le", "gbrp10le"},
                                         {"yuva420p", "yuv420p"}}) {
        INFO(stored);
        ffmpeg(folder.path(),
               test_picture("96x64", "0.2") + Words{"-vf", "format=yuv444p16,scale=37:23", "-pix_fmt", stored,
                                                    "-c:v", "ffv1", "in.mkv"});
        VideoReader video((folder / "in.mkv").string());
        CHECK(video.info().form.width == 37);
        CHECK(video.info().form.height == 23);
        CHECK(all_frames(video) == raw_frames(folder.path(), "in.mkv", planar));
    }
    for (const std::string packed : {"nv12", "yuyv422", "uyvy422", "rgb24", "v210"}) {
        INFO(packed);
        const bool v210 = packed == "v210";
        ffmpeg(folder.path(),
               test_picture("38x24", "0.2") + Words{"-pix_fmt", v210 ? "yuv422p10le" : packed, "-c:v",
                                                    v210 ? packed : "rawvideo", "in.nut"});
        VideoReader video((folder / "in.nut").string());
        const std::string planar = packed == "nv12"    ? "yuv420p"
                                   : packed == "rgb24" ? "gbrp"
                                   : v210              ? "yuv422p10le"
                                                       : "yuv422p";
        CHECK(all_frames(video) == raw_frames(folder.path(), "in.nut", planar));
    }
}

TEST_CASE("reader: grey is luma without colour, and a palette its colours") {
    const TempDir folder;
    ffmpeg(folder.path(),
           test_picture("16x8", "0.1") + Words{"-pix_fmt", "gray", "-c:v", "ffv1", "grey.mkv"});
    VideoReader grey((folder / "grey.mkv").string());
    const std::optional<FrameData> frame = grey.next();
    REQUIRE(frame);
    CHECK(frame->planes[1].at(3, 2, 0) == 128);
    CHECK(frame->planes[2].at(7, 3, 0) == 128);
    CHECK(bytes_of(frame->planes).substr(0, 128) ==
          raw_frames(folder.path(), "grey.mkv", "gray").substr(0, 128));

    ffmpeg(folder.path(), test_picture("16x8", "0.2") + Words{"anim.gif"});
    VideoReader gif((folder / "anim.gif").string());
    CHECK(all_frames(gif) == raw_frames(folder.path(), "anim.gif", "gbrp"));
}

TEST_CASE("reader: what a film says of itself") {
    const TempDir folder;
    ffmpeg(folder.path(),
           test_picture("96x64", "2", "30000/1001") +
               Words{"-vf", "format=yuv420p10le," + tagged("bt2020nc", "pc", "bt2020", "smpte2084"), "-c:v",
                     "libx264", "tagged.mp4"});
    const VideoReader video((folder / "tagged.mp4").string());
    const VideoInfo& info = video.info();
    CHECK(info.form == YcbcrForm{96, 64, 10, 2, 2, false, true});
    CHECK(info.code.matrix == YcbcrMatrix::bt2020);
    CHECK(info.code.range == YcbcrRange::full);
    CHECK(info.primaries == AVCOL_PRI_BT2020);
    CHECK(info.transfer == AVCOL_TRC_SMPTE2084);
    CHECK(info.tagged);
    CHECK(info.codec == "h264");
    CHECK(info.rate.num == 30000);
    CHECK(info.rate.den == 1001);
    CHECK(info.frames == 60);
    CHECK(std::abs(info.duration.value() - 60 * 1001 / 30000.0) < 1e-3);
    CHECK(info.turn.degrees == 0);

    VideoOptions options;
    options.code = {YcbcrMatrix::bt601, YcbcrRange::limited};
    const VideoReader given((folder / "tagged.mp4").string(), options);
    CHECK(given.info().code.matrix == YcbcrMatrix::bt601);
    CHECK(given.info().code.range == YcbcrRange::limited);
}

TEST_CASE("reader: the matrix of films that do not say is guessed from their size") {
    const TempDir folder;
    for (const auto& [size, matrix] : {std::pair<std::string, YcbcrMatrix>{"720x576", YcbcrMatrix::bt601},
                                       {"1280x720", YcbcrMatrix::bt709}}) {
        ffmpeg(folder.path(),
               test_picture(size, "0.1") + Words{"-pix_fmt", "yuv420p", "-c:v", "libx264", "in.mp4"});
        const VideoReader video((folder / "in.mp4").string());
        CHECK(video.info().code.matrix == matrix);
        CHECK(video.info().code.range == YcbcrRange::limited);
        CHECK_FALSE(video.info().tagged);
    }
}

TEST_CASE("reader: rotation, as players turn frames") {
    const TempDir folder;
    ffmpeg(folder.path(), test_picture() + Words{"-pix_fmt", "yuv420p", "-c:v", "libx264", "in.mp4"});
    std::set<int> seen;
    for (const int degrees : {90, 180, 270}) {
        ffmpeg(folder.path(), turned("in.mp4", degrees, "out.mp4"));
        const int rotation = VideoReader((folder / "out.mp4").string()).info().turn.degrees;
        const std::string turn = rotation == 90    ? "transpose=clock"
                                 : rotation == 180 ? "hflip,vflip"
                                                   : "transpose=cclock";
        ffmpeg(folder.path(), {"-i", "in.mp4", "-vf", turn, "-c:v", "ffv1", "turned.mkv"});
        CHECK(raw_frames(folder.path(), "out.mp4", "yuv420p") ==
              raw_frames(folder.path(), "turned.mkv", "yuv420p"));
        seen.insert(rotation);
    }
    CHECK(seen == std::set<int>{90, 180, 270});
}

TEST_CASE("reader: any frame by its number and by its time, B-frames and varying rates too") {
    const TempDir folder;
    ffmpeg(folder.path(), test_picture("96x64", "3") +
                              Words{"-vf", "select='not(eq(mod(n,7),3))'", "-fps_mode", "vfr", "-pix_fmt",
                                    "yuv420p", "-c:v", "libx264", "-g", "20", "-bf", "3", "in.mp4"});
    VideoReader video((folder / "in.mp4").string());
    std::vector<std::string> frames;
    std::vector<double> seconds;
    std::vector<std::int64_t> times;
    while (const std::optional<FrameData> frame = video.next()) {
        frames.push_back(bytes_of(frame->planes));
        seconds.push_back(frame->seconds);
        times.push_back(frame->time);
    }
    CHECK(video.frame_times() == times);
    for (const std::size_t number : {std::size_t{0}, std::size_t{1}, std::size_t{19}, std::size_t{20},
                                     std::size_t{41}, frames.size() - 1}) {
        INFO(number);
        video.seek_frame(static_cast<std::int64_t>(number));
        CHECK(bytes_of(video.next().value().planes) == frames[number]);
        const double until = number + 1 < frames.size() ? seconds[number + 1] : seconds[number] + 1;
        video.seek((seconds[number] + until) / 2);
        const FrameData frame = video.next().value();
        CHECK(frame.seconds == seconds[number]);
        CHECK(bytes_of(frame.planes) == frames[number]);
        CHECK(video.next().has_value() == (number + 1 < frames.size()));
    }
    CHECK_THROWS_AS(video.seek_frame(static_cast<std::int64_t>(frames.size())), Error);
    video.seek(1000);
    CHECK(video.next().value().seconds == seconds.back());
}

TEST_CASE("reader: what is no film, and what is broken") {
    const TempDir folder;
    std::ofstream(folder / "empty.mp4").flush();
    CHECK(why_not(folder / "empty.mp4") == ": the file is empty");
    CHECK(why_not(folder / "none.mp4") == ": no such file");
    std::ofstream(folder / "text.mp4") << "this is no video, whatever its name says\n";
    CHECK(why_not(folder / "text.mp4").starts_with(": not a video"));
    ffmpeg(folder.path(), test_picture() + Words{"-frames:v", "1", "photo.png"});
    CHECK(why_not(folder / "photo.png") == ": an image, not a video");
    ffmpeg(folder.path(), {"-f", "lavfi", "-i", "sine=d=1", "sound.wav"});
    CHECK(why_not(folder / "sound.wav") == ": not a video: it has no video stream");

    const Words coded{"-pix_fmt", "yuv420p", "-c:v", "libx264", "-g", "10"};
    for (const std::string end : {"mkv", "mp4", "avi", "webm"}) {
        INFO(end);
        const Words codec = end == "webm" ? Words{"-c:v", "libvpx"} : coded;
        const std::string whole = "whole." + end;
        ffmpeg(folder.path(), test_picture("96x64", "4") + codec +
                                  (end == "mp4" ? Words{"-movflags", "faststart"} : Words{}) + Words{whole});
        CHECK(why_not(folder / whole) == "it is whole");
        cut(folder / whole, folder / ("cut." + end), 0.5);
        const std::string why = why_not(folder / ("cut." + end));
        INFO(why);
        CHECK((why.starts_with(": truncated") || why.starts_with(": broken")));
    }
    // Where a packet ends, nothing but the index tells that more were to come.
    const std::string places = ffprobe(folder.path(), {"-select_streams", "v", "-show_entries", "packet=pos",
                                                       "-of", "csv=p=0", "whole.mp4"});
    std::filesystem::copy_file(folder / "whole.mp4", folder / "short.mp4");
    std::filesystem::resize_file(folder / "short.mp4", std::stoul(lines_of(places).at(50)));
    CHECK(why_not(folder / "short.mp4") == ": truncated: it ends after 2.00 s of 4.00");

    ffmpeg(folder.path(), test_picture("96x64", "4") + coded + Words{"late.mp4"}); // its index comes last
    cut(folder / "late.mp4", folder / "cut.mp4", 0.9);
    CHECK(why_not(folder / "cut.mp4") == ": not a video, or a broken one: moov atom not found");
}

TEST_CASE("reader: an edit list's frames are those that are shown, in the count and by number") {
    const TempDir folder;
    ffmpeg(folder.path(),
           test_picture("32x24", "2") + Words{"-c:v", "libx264", "-g", "50", "-bf", "0", "whole.mp4"});
    ffmpeg(folder.path(),
           {"-ss", "0.52", "-i", "whole.mp4", "-c", "copy", "in.mp4"}); // all packets, from the 13th frame on
    const std::size_t shown = lines_of(frame_times(folder, "in.mp4")).size();
    REQUIRE(shown == 37);
    VideoReader reader((folder / "in.mp4").string());
    CHECK(reader.info().frames == 37);
    CHECK(reader.frame_times().size() == 37);
    CHECK(run_glproc(folder.path(), {"info", "in.mp4", "--json"})
              .out.find("\"frames\":37,\"frames_counted\":true") != std::string::npos);
    must_work(folder, {"in.mp4", "first.png", "--frame", "0"});
    must_work(folder, {"whole.mp4", "right.png", "--frame", "13"});
    CHECK(same_pixels(load(folder / "first.png"), load(folder / "right.png")));
}

TEST_CASE("reader: info knows films by their first bytes, whatever their name") {
    const TempDir folder;
    for (const Words& video : {Words{"wmv2", "asf", "a.wmv"},
                              {"mpeg2video", "mxf", "a.mxf"},
                              {"mpeg2video", "mpegts", "a.m2ts"},
                              {"mpeg2video", "mpeg2video", "a.m2v"},
                              {"mpeg4", "avi", "a.avi"},
                              {"flv1", "flv", "a.flv"}}) {
        INFO(video[2]);
        ffmpeg(folder.path(), test_picture("96x64", "0.4") + Words{"-pix_fmt", "yuv420p", "-c:v", video[0]} +
                                  (video[1] == "mpegts" ? Words{"-mpegts_m2ts_mode", "1"} : Words{}) +
                                  Words{"-f", video[1], video[2]});
        const ProgramResult result = run_glproc(folder.path(), {"info", video[2]});
        CHECK(result.status == 0);
        CHECK(result.out.find("96x64") != std::string::npos);
    }
}

TEST_CASE("reader: sound whose channels have no names is counted") {
    const TempDir folder;
    for (const auto& [channels, text] :
         {std::pair("1", "wmav2, 44100 Hz, 1 channel\n"), {"2", "wmav2, 44100 Hz, 2 channels\n"}}) {
        ffmpeg(folder.path(), test_picture("96x64", "0.4") +
                                  Words{"-f", "lavfi", "-i", "sine=d=0.4", "-ac", channels, "a.wmv"});
        CHECK(run_glproc(folder.path(), {"info", "a.wmv"}).out.find(text) != std::string::npos);
    }
}
