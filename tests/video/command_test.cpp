// glproc video: videos through chains, and what stays of them.
#include "support/combinations.hpp"
#include "video/video_program.hpp"

#include <array>
#include <cmath>
#include <cstdlib>
#include <tuple>

#include <fmt/format.h>

using namespace glproc;
using namespace glproc::test;

namespace {

/// The largest difference of two videos of samples.
int worst_of(const std::string& a, const std::string& b, bool deep) {
    REQUIRE(a.size() == b.size());
    REQUIRE_FALSE(a.empty());
    int worst = 0;
    const auto code = [&](const std::string& text, std::size_t i) {
        const auto byte = [&](std::size_t at) { return static_cast<unsigned char>(text[at]); };
        return deep ? byte(2 * i) + 256 * byte(2 * i + 1) : byte(i);
    };
    for (std::size_t i = 0; i < a.size() / (deep ? 2 : 1); ++i) {
        worst = std::max(worst, std::abs(code(a, i) - code(b, i)));
    }
    return worst;
}

/// Times of the packets of a stream, or a digest of their bytes.
std::string packets(const TempDir& folder, const std::string& video, const std::string& stream,
                    const std::string& entries) {
    return ffprobe(folder.path(),
                   {"-select_streams", stream, "-show_entries", "packet=" + entries, "-of", "csv=p=0", video});
}

/// What ffmpeg writes before packets: how a format describes mov_text depends on the muxer.
std::string without_header(const std::string& digest) {
    return digest.substr(digest.find("#stream#"));
}

std::string tags(const TempDir& folder, const std::string& video) {
    return ffprobe(folder.path(),
                   {"-select_streams", "v:0", "-show_entries",
                    "stream=width,height,pix_fmt,color_range,color_space,color_transfer,color_primaries,"
                    "sample_aspect_ratio,r_frame_rate:stream_side_data=rotation",
                    "-of", "default", video});
}

} // namespace

TEST_CASE("video: a chain that changes nothing leaves every sample within a code") {
    const TempDir folder;
    const std::vector<std::string> formats{"yuv420p", "yuv422p", "yuv444p", "yuv420p10le", "yuv444p10le"};
    const std::vector<std::string> spaces{"smpte170m", "bt709", "bt2020nc"};
    const std::vector<std::string> ranges{"tv", "pc"};
    for (const auto& [format, space, range] : combinations(formats, spaces, ranges)) {
        INFO(format << " " << space << " " << range);
        // Colours that RGB holds between samples, too: no sharp edges, not fully saturated.
        ffmpeg(folder.path(), test_picture("96x64", "0.2") +
                                  Words{"-vf",
                                        fmt::format("gblur=3,hue=s=0.4,scale=out_color_matrix={}:out_range={},format={}",
                                                    space == "bt2020nc" ? "bt2020" : space, range, format),
                                        "-colorspace", space, "-color_range", range, "-c:v", "ffv1", "in.mkv"});
        must_work(folder, Words{"in.mkv", "out.mkv", "--codec", "ffv1"} + identity);
        CHECK(worst_of(raw_frames(folder.path(), "in.mkv", format), raw_frames(folder.path(), "out.mkv", format),
                       format.ends_with("le")) <= 1);
        CHECK(tags(folder, "out.mkv") == tags(folder, "in.mkv"));
        CHECK(frame_times(folder, "out.mkv") == frame_times(folder, "in.mkv"));
    }
}

TEST_CASE("video: a matrix that is guessed from the size is written only where players would guess another") {
    const TempDir folder;
    ffmpeg(folder.path(), test_picture("96x64", "0.2") + Words{"-pix_fmt", "yuv420p", "-c:v", "ffv1", "in.mkv"});
    const auto matrix_of = [&](const char* name) {
        const std::string found = tags(folder, name);
        const std::string key = "color_space=";
        const std::size_t at = found.find(key) + key.size();
        return found.substr(at, found.find('\n', at) - at);
    };
    REQUIRE(matrix_of("in.mkv") == "unknown");
    must_work(folder, {"in.mkv", "same.mkv", "--codec", "ffv1", "invert"});
    CHECK(matrix_of("same.mkv") == "unknown");
    must_work(folder, {"in.mkv", "large.mkv", "--codec", "ffv1", "resize", "1280x720"});
    CHECK(matrix_of("large.mkv") == "smpte170m");
    must_work(folder, {"in.mkv", "named.mkv", "--codec", "ffv1", "--to-matrix", "bt601", "invert"});
    CHECK(matrix_of("named.mkv") == "smpte170m");
}

TEST_CASE("video: bars have their colours in every matrix and range") {
    const TempDir folder;
    const std::vector<std::array<int, 3>> colours{{255, 255, 255}, {255, 255, 0}, {0, 255, 255},
                                                  {0, 255, 0},     {255, 0, 255}, {255, 0, 0},
                                                  {0, 0, 255},     {64, 128, 192}};
    Image bars(128, 16, 3, Depth::u8);
    for (int y = 0; y < 16; ++y) {
        for (int x = 0; x < 128; ++x) {
            for (int c = 0; c < 3; ++c) {
                bars.row(y)[3 * x + c] = static_cast<std::byte>(
                    colours[static_cast<std::size_t>(x / 16)].at(static_cast<std::size_t>(c)));
            }
        }
    }
    save(bars, folder / "bars.png");
    const std::vector<std::string> formats{"yuv420p", "yuv444p", "yuv422p10le"};
    const std::vector<std::string> spaces{"bt601", "bt709", "bt2020"};
    const std::vector<std::string> ranges{"tv", "pc"};
    for (const auto& [format, space, range] : combinations(formats, spaces, ranges)) {
        INFO(format << " " << space << " " << range);
        const std::string tag = space == "bt601" ? "smpte170m" : space == "bt2020" ? "bt2020nc" : space;
        ffmpeg(folder.path(),
               {"-loop", "1", "-t", "0.1", "-i", "bars.png", "-vf",
                fmt::format("scale=out_color_matrix={}:out_range={}:flags=accurate_rnd+full_chroma_int,format={}", space, range,
                            format),
                "-colorspace", tag, "-color_range", range, "-c:v", "ffv1", "in.mkv"});
        must_work(folder, Words{"in.mkv", "out.png", "--frame", "0"} + identity);
        const Image out = load(folder / "out.png");
        const double unit = out.depth() == Depth::u8 ? 1 : 257;
        for (int bar = 0; bar < 8; ++bar) {
            for (int c = 0; c < 3; ++c) {
                INFO(bar << " " << c);
                const int expected = colours[static_cast<std::size_t>(bar)].at(static_cast<std::size_t>(c));
                CHECK(std::abs(out.at(16 * bar + 8, 8, c) / unit - expected) <= 2);
            }
        }
    }
    // What the video says can be overruled.
    ffmpeg(folder.path(),
           {"-loop", "1", "-t", "0.1", "-i", "bars.png", "-vf",
            "scale=out_color_matrix=bt2020:out_range=pc,format=yuv444p," + tagged("bt709", "tv"), "-c:v",
            "ffv1", "wrong.mkv"});
    must_work(folder, Words{"wrong.mkv", "out.png", "--frame", "0", "--matrix", "bt2020", "--range", "full"} +
                          identity);
    CHECK(std::abs(load(folder / "out.png").at(16 * 7 + 8, 8, 0) - 64) <= 2);
}

TEST_CASE("video: sound, subtitles, chapters and metadata stay, byte for byte") {
    const TempDir folder;
    write_text(folder / "words.srt",
               "1\n00:00:00,200 --> 00:00:01,000\nfirst\n\n2\n00:00:01,200 --> 00:00:01,900\nsecond\n");
    write_text(folder / "meta.txt",
               ";FFMETADATA1\ntitle=A film\n[CHAPTER]\nTIMEBASE=1/1000\nSTART=0\nEND=1000\n"
               "title=One\n[CHAPTER]\nTIMEBASE=1/1000\nSTART=1000\nEND=2000\ntitle=Two\n");
    for (const std::string end : {"mkv", "mp4", "mov"}) {
        INFO(end);
        const std::string in = "in." + end;
        const std::string out = "out." + end;
        ffmpeg(folder.path(), test_picture("96x64", "2") +
                                  Words{"-f",
                                        "lavfi",
                                        "-i",
                                        "sine=440:d=2",
                                        "-f",
                                        "lavfi",
                                        "-i",
                                        "sine=880:d=2",
                                        "-i",
                                        "words.srt",
                                        "-i",
                                        "meta.txt",
                                        "-map",
                                        "0",
                                        "-map",
                                        "1",
                                        "-map",
                                        "2",
                                        "-map",
                                        "3",
                                        "-map_metadata",
                                        "4",
                                        "-c:a:0",
                                        "aac",
                                        "-c:a:1",
                                        "ac3",
                                        "-c:s",
                                        end == "mkv" ? "srt" : "mov_text",
                                        "-metadata:s:a:1",
                                        "language=deu"} +
                                  x264 + Words{"-pix_fmt", "yuv420p", in});
        must_work(folder, Words{in, out, "--preset", "ultrafast"} + identity);
        for (const char* stream : {"a:0", "a:1", "s:0"}) {
            INFO(stream);
            const Words digest{"-map", std::string("0:") + stream, "-c", "copy", "-f", "framemd5", "-"};
            CHECK(without_header(ffmpeg(folder.path(), Words{"-i", out} + digest)) ==
                  without_header(ffmpeg(folder.path(), Words{"-i", in} + digest)));
            CHECK(packets(folder, out, stream, "pts_time,duration_time") ==
                  packets(folder, in, stream, "pts_time,duration_time"));
        }
        CHECK(frame_times(folder, out) == frame_times(folder, in));
        for (const Words& what : {Words{"-show_chapters"},
                                  {"-show_entries", "stream=index,codec_type,codec_name:stream_tags=language:"
                                                    "stream_disposition=default"},
                                  {"-show_entries", "format_tags=title"}}) {
            CHECK(ffprobe(folder.path(), what + Words{out}) == ffprobe(folder.path(), what + Words{in}));
        }
        // Matroska's duration is the time at which it ends, and copies of ffmpeg begin at 0 from version 7
        // on.
        const auto seconds = [&](const std::string& video) {
            const std::string begin_and_duration = ffprobe(
                folder.path(), {"-show_entries", "format=start_time,duration", "-of", "csv=p=0", video});
            return std::stod(begin_and_duration.substr(begin_and_duration.find(',') + 1)) -
                   std::stod(begin_and_duration);
        };
        // Sound that begins before 0 makes a copy of Matroska a little longer, whoever makes it.
        ffmpeg(folder.path(),
               {"-i", in, "-map", "0:v", "-map", "0:a", "-map", "0:s", "-c", "copy", "copy." + end});
        CHECK(std::abs(seconds(out) - seconds("copy." + end)) < 0.0015);
        must_work(folder, Words{in, out, "--only-video", "--preset", "ultrafast"} + identity);
        CHECK(ffprobe(folder.path(), {"-show_entries", "stream=codec_type", "-of", "csv=p=0", out}) ==
              "video\n");
    }
}

TEST_CASE("video: varying rates, depth and colour tags stay") {
    const TempDir folder;
    ffmpeg(folder.path(),
           test_picture("96x64", "2") + Words{"-vf",
                                              "select='not(eq(mod(n,7),3))',setsar=4/3,format=yuv420p10le," +
                                                  tagged("bt2020nc", "tv", "bt2020", "arib-std-b67"),
                                              "-fps_mode", "vfr", "-c:v", "libx264", "in.mp4"});
    CHECK(tags(folder, "in.mp4").find("color_transfer=arib-std-b67") != std::string::npos);
    const auto last_duration = [&](const std::string& video) {
        return packets(folder, video, "v:0", "duration_time").size();
    };
    for (const std::string out : {"out.mp4", "out.mov"}) {
        INFO(out);
        must_work(folder, Words{"in.mp4", out, "--preset", "ultrafast"} + identity);
        CHECK(frame_times(folder, out) == frame_times(folder, "in.mp4"));
        CHECK(tags(folder, out) == tags(folder, "in.mp4"));
        CHECK(last_duration(out) == last_duration("in.mp4"));
    }
}

TEST_CASE("video: every codec, in a container that holds it") {
    const TempDir folder;
    ffmpeg(folder.path(),
           test_picture("96x64", "0.4") + Words{"-pix_fmt", "yuv420p", "-c:v", "ffv1", "in.mkv"});
    for (const auto& [codec, name, out] :
         {std::tuple<std::string, std::string, std::string>{"h264", "h264", "out.mp4"},
          {"h265", "hevc", "out.mp4"},
          {"vp9", "vp9", "out.webm"},
          {"av1", "av1", "out.mkv"},
          {"ffv1", "ffv1", "out.mkv"},
          {"prores", "prores", "out.mov"}}) {
        INFO(codec);
        const ProgramResult result = run_video(folder, Words{"in.mkv", out, "--codec", codec} + identity);
        CHECK(result.status == 0);
        // Those for editing have 10 bits of 4:2:2; nothing is lost by that.
        CHECK(result.err.empty());
        CHECK(ffprobe(folder.path(), {"-show_entries", "stream=codec_name", "-of", "csv=p=0", out}) ==
              name + "\n");
        CHECK(frame_times(folder, out) == frame_times(folder, "in.mkv"));
    }
    CHECK(run_video(folder, Words{"in.mkv", "out.webm", "--codec", "h264"} + identity).status == 2);
}

TEST_CASE("video: the result of a chain is what the same chain makes of a frame as a picture") {
    const TempDir folder;
    ffmpeg(folder.path(),
           test_picture("128x96", "0.4") + Words{"-pix_fmt", "yuv444p", "-c:v", "ffv1", "in.mkv"});
    must_work(folder, Words{"in.mkv", "frame.png", "--frame", "7"} + identity);
    for (const Words& chain : {Words{"blur", "--sigma", "2"},
                               {"resize", "64x48", "then", "unsharp"},
                               {"rotate", "--angle", "90"},
                               {"equalize"},
                               {"levels", "--auto"},
                               {"gray"}}) {
        INFO(chain.front());
        must_work(folder, Words{"in.mkv", "out-%03d.png"} + chain);
        REQUIRE(run_glproc(folder.path(), Words{"pipe", "frame.png", "expected.png"} + chain).status == 0);
        CHECK(same_pixels(load(folder / "out-008.png"), load(folder / "expected.png")));
        must_work(folder, Words{"in.mkv", "out.mkv", "--codec", "ffv1"} + chain);
        must_work(folder, Words{"out.mkv", "again.png", "--frame", "7"} + identity);
        const Image again = load(folder / "again.png");
        const Image expected = load(folder / "expected.png");
        REQUIRE(again.width() == expected.width());
        REQUIRE(again.height() == expected.height());
        REQUIRE(again.channels() == expected.channels());
        double worst = 0;
        for (int y = 0; y < again.height(); ++y) {
            for (int x = 0; x < again.width(); ++x) {
                for (int c = 0; c < expected.channels(); ++c) {
                    worst = std::max(worst, std::abs(again.at(x, y, c) - expected.at(x, y, c)));
                }
            }
        }
        CHECK(worst <= 3); // 219 codes of luma for 256 of each colour
    }
}

TEST_CASE("video: parts of a film, and its sound with them") {
    const TempDir folder;
    ffmpeg(folder.path(), test_picture("96x64", "4") +
                              Words{"-f", "lavfi", "-i", "sine=d=4", "-c:a", "pcm_s16le", "-vf",
                                    "gblur=3,hue=s=0.4", "-pix_fmt", "yuv444p", "-c:v", "ffv1", "in.mkv"});
    const std::string all = raw_frames(folder.path(), "in.mkv", "yuv444p");
    constexpr std::size_t frame = 96 * 64 * 3;
    const auto part = [&](std::size_t first, std::size_t count) {
        return all.substr(first * frame, count * frame);
    };
    const auto frames_of = [&](const Words& flags) {
        must_work(folder, Words{"in.mkv", "out.mkv", "--codec", "ffv1"} + flags + identity);
        return raw_frames(folder.path(), "out.mkv", "yuv444p");
    };
    CHECK(worst_of(frames_of({"--frames", "30..54"}), part(30, 25), false) <= 1);
    const std::string times = frame_times(folder, "out.mkv");
    CHECK(times.starts_with("0.000000"));
    const double sound =
        std::stod(ffprobe(folder.path(), {"-select_streams", "a", "-show_entries", "stream_tags=DURATION",
                                          "-of", "csv=p=0", "out.mkv"})
                      .substr(6));
    CHECK(std::abs(sound - 1) < 0.05);
    CHECK(worst_of(frames_of({"--frames", "90.."}), part(90, 10), false) <= 1);
    CHECK(worst_of(frames_of({"--frames", "..2"}), part(0, 3), false) <= 1);
    CHECK(frames_of({"--every", "10"}).size() == 10 * frame);
    CHECK(lines_of(frame_times(folder, "out.mkv")).at(3).starts_with("1.2"));
    CHECK(frames_of({"--frames", "10..40", "--every", "15"}).size() == 3 * frame);

    must_work(folder, Words{"in.mkv", "a.png", "--frame", "50"} + identity);
    must_work(folder, Words{"in.mkv", "b.png", "--frame", "2s"} + identity);
    must_work(folder, Words{"in.mkv", "c.png", "--frame", "0:02.03"} + identity);
    CHECK(same_pixels(load(folder / "a.png"), load(folder / "b.png")));
    CHECK(same_pixels(load(folder / "a.png"), load(folder / "c.png")));
}

TEST_CASE("video: moving RGB frames come out of FFV1 bit for bit, at every depth that it has") {
    const TempDir folder;
    for (const std::string format : {"bgr0", "gbrp9le", "gbrp10le", "gbrp12le", "gbrp14le", "gbrp16le"}) {
        INFO(format);
        ffmpeg(folder.path(),
               test_picture("93x61", "0.4") + Words{"-pix_fmt", format, "-c:v", "ffv1", "in.mkv"});
        for (int run = 0; run < 2; ++run) {
            must_work(folder, Words{"in.mkv", "out.mkv", "--codec", "ffv1"} + identity);
            CHECK(raw_frames(folder.path(), "out.mkv", format) ==
                  raw_frames(folder.path(), "in.mkv", format));
            CHECK(tags(folder, "out.mkv") == tags(folder, "in.mkv"));
        }
    }
    // GIF as well, whose frames are BGRA.
    ffmpeg(folder.path(), test_picture("93x61", "0.4") + Words{"in.gif"});
    must_work(folder, Words{"in.gif", "out.mkv", "--codec", "ffv1"} + identity);
    CHECK(raw_frames(folder.path(), "out.mkv", "rgb24") == raw_frames(folder.path(), "in.gif", "rgb24"));
}

TEST_CASE("video: pictures by number keep their colours and depth in FFV1") {
    const TempDir folder;
    for (const std::string format : {"rgb24", "rgb48be", "gray"}) {
        INFO(format);
        const std::string raw = format == "rgb48be" ? "gbrp16le" : "gbrp";
        ffmpeg(folder.path(), test_picture("93x61", "0.4") + Words{"-pix_fmt", format, format + "-%03d.png"});
        must_work(folder, Words{format + "-%03d.png", "out.mkv", "--codec", "ffv1"} + identity);
        ffmpeg(folder.path(),
               {"-i", format + "-%03d.png", "-pix_fmt", raw, "-c:v", "rawvideo", "expected.nut"});
        CHECK(raw_frames(folder.path(), "out.mkv", raw) == raw_frames(folder.path(), "expected.nut", raw));
    }
    // Who asks for luma and chroma gets them.
    must_work(folder, Words{"rgb24-%03d.png", "out.mkv", "--codec", "ffv1", "--matrix", "bt709"} + identity);
    CHECK(tags(folder, "out.mkv").find("pix_fmt=yuv420p\n") != std::string::npos);
    CHECK(tags(folder, "out.mkv").find("color_space=bt709\n") != std::string::npos);
}

TEST_CASE("video: grey stays grey in FFV1, at every depth, and is full range where nothing else is said") {
    const TempDir folder;
    for (const std::string format : {"gray", "gray10le", "gray12le", "gray16le"}) {
        INFO(format);
        ffmpeg(folder.path(),
               test_picture("93x61", "0.2") + Words{"-pix_fmt", format, "-c:v", "ffv1", "in.mkv"});
        must_work(folder, {"in.mkv", "out.mkv", "--codec", "ffv1"});
        CHECK(tags(folder, "out.mkv").find("pix_fmt=" + format + "\n") != std::string::npos);
        CHECK(raw_frames(folder.path(), "out.mkv", format) == raw_frames(folder.path(), "in.mkv", format));
    }
    ffmpeg(folder.path(), test_picture("93x61", "0.2") + Words{"-pix_fmt", "gray16be", "grey-%03d.png"});
    must_work(folder, {"grey-%03d.png", "out.mkv", "--codec", "ffv1"});
    CHECK(tags(folder, "out.mkv").find("pix_fmt=gray16le\n") != std::string::npos);
    must_work(folder, {"out.mkv", "back.png", "--frame", "2", "gray"});
    CHECK(same_pixels(load(folder / "back.png"), load(folder / "grey-003.png")));
}

TEST_CASE("video: chapters and timecode are those of the part") {
    const TempDir folder;
    write_text(folder / "meta.txt", ";FFMETADATA1\n[CHAPTER]\nTIMEBASE=1/1000\nSTART=0\nEND=1000\ntitle=One\n"
                                    "[CHAPTER]\nTIMEBASE=1/1000\nSTART=1000\nEND=2000\ntitle=Two\n");
    ffmpeg(folder.path(), test_picture("96x64", "2") +
                              Words{"-i", "meta.txt", "-map_metadata", "1", "-timecode", "01:00:00:00"} +
                              x264 + Words{"in.mov"});
    must_work(folder, {"in.mov", "out.mov", "--from", "0.48s", "--to", "1.52s"});
    CHECK(ffprobe(folder.path(), {"-show_entries", "chapter=start_time,end_time", "-of", "csv=p=0",
                                  "out.mov"}) == "0.000000,0.520000\n0.520000,1.040000\n");
    CHECK(ffprobe(folder.path(), {"-select_streams", "v", "-show_entries", "stream_tags=timecode", "-of",
                                  "csv=p=0", "out.mov"}) == "01:00:00:12\n");
}

TEST_CASE("video: pictures by number become a film, and a film such pictures") {
    const TempDir folder;
    ffmpeg(folder.path(), test_picture("96x64", "0.4") + Words{"-start_number", "98", "frame-%03d.png"});
    must_work(folder, Words{"frame-%03d.png", "out.mkv", "--codec", "ffv1", "--fps", "50"} + identity);
    CHECK(lines_of(frame_times(folder, "out.mkv")).size() == 10);
    CHECK(lines_of(frame_times(folder, "out.mkv")).at(5).starts_with("0.1"));
    must_work(folder, Words{"frame-%03d.png", "copy-%d.png"} + identity);
    CHECK(same_pixels(load(folder / "copy-1.png"), load(folder / "frame-098.png")));
    CHECK(same_pixels(load(folder / "copy-10.png"), load(folder / "frame-107.png")));
    save(Image(8, 8, 3, Depth::u8), folder / "frame-103.png");
    const ProgramResult result =
        run_video(folder, Words{"frame-%03d.png", "new.mkv", "--codec", "ffv1"} + identity);
    CHECK(result.status == 3);
    CHECK(result.err.starts_with(
        "glproc: error: frame-103.png: 8x8 with 3 channels, but the first image is 96x64"));
    CHECK_FALSE(std::filesystem::exists(folder / "new.mkv"));
}
