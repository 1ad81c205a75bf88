// glproc video without an operation: stills, cuts, other codecs and containers.
#include "video/video_program.hpp"

#include <fmt/format.h>

using namespace glproc;
using namespace glproc::test;

namespace {

std::string stream_of(const TempDir& folder, const std::string& video, const std::string& stream,
                      const std::string& entries) {
    return ffprobe(folder.path(), {"-select_streams", stream, "-show_entries", "stream=" + entries, "-of",
                                   "default=nw=1", video});
}

std::size_t count_of(const TempDir& folder, const std::string& video) {
    return lines_of(frame_times(folder, video)).size();
}

void make_video(const TempDir& folder, const std::string& name, const std::string& seconds = "2") {
    ffmpeg(folder.path(), test_picture("96x64", seconds) + Words{"-f", "lavfi", "-i", "sine=440:d=" + seconds} +
                              x264 + Words{"-pix_fmt", "yuv420p", "-c:a", "aac", name});
}

/// What an index says of the first two atoms after the head of a file of MP4.
bool index_comes_first(const std::string& bytes) {
    return bytes.find("moov") < bytes.find("mdat");
}

} // namespace

TEST_CASE("video: without an operation frames pass bit for bit") {
    const TempDir folder;
    for (const std::string format : {"yuv420p", "yuv422p10le", "yuv444p", "gbrp", "gbrp10le", "yuva420p", "bgra"}) {
        INFO(format);
        ffmpeg(folder.path(), test_picture("93x61", "0.2") + Words{"-pix_fmt", format, "-c:v", "ffv1", "in.mkv"});
        must_work(folder, Words{"in.mkv", "out.mkv", "--codec", "ffv1"});
        CHECK(raw_frames(folder.path(), "out.mkv", format) == raw_frames(folder.path(), "in.mkv", format));
    }
}

TEST_CASE("video: a still, a cut and another container without an operation") {
    const TempDir folder;
    make_video(folder, "in.mp4");
    must_work(folder, Words{"in.mp4", "plain.png", "--frame", "10"});
    must_work(folder, Words{"in.mp4", "expected.png", "--frame", "10", "convert"});
    CHECK(same_pixels(load(folder / "plain.png"), load(folder / "expected.png")));

    must_work(folder, Words{"in.mp4", "part.mkv", "--from", "0.4s", "--to", "1.2s"});
    CHECK(count_of(folder, "part.mkv") == 20);
    CHECK(stream_of(folder, "part.mkv", "a", "codec_name") == "codec_name=aac\n");

    must_work(folder, Words{"in.mp4", "out.mov"});
    CHECK(count_of(folder, "out.mov") == 50);
    CHECK(frame_times(folder, "out.mov") == frame_times(folder, "in.mp4"));

    const ProgramResult forgotten = run_video(folder, Words{"in.mp4", "invert"});
    CHECK(forgotten.status == 2);
    CHECK(forgotten.err == "glproc: error: video needs IN and OUT before the operation 'invert'\n"
                           "  hint: glproc video in.mp4 out.mp4 blur --sigma 2 then unsharp\n");
    const ProgramResult unknown = run_video(folder, Words{"in.mp4", "out.mp4", "blurr"});
    CHECK(unknown.status == 2);
    CHECK(unknown.err.starts_with("glproc: error: unknown operation 'blurr' (did you mean 'blur'?)"));
}

TEST_CASE("video: frames are named by times, by share, and as the last one") {
    const TempDir folder;
    make_video(folder, "in.mp4");
    const auto frames = [&](const std::string& range) {
        must_work(folder, Words{"in.mp4", "part.mkv", "--codec", "ffv1", "--frames", range});
        return count_of(folder, "part.mkv");
    };
    CHECK(frames("0.4s..1.2s") == 20);
    CHECK(frames("0:00.4..0:01.2") == 20);
    CHECK(frames("10..1.2s") == 20);
    CHECK(frames("1.2s..") == 20);
    CHECK(frames("..0.4s") == 10);
    CHECK(frames("40..99") == 10);
    CHECK(run_glproc(folder.path(), {"video", "in.mp4", "part.mkv", "--frames", "40..99"})
              .err.find("in.mp4: it ends before frame 99") != std::string::npos);
    const auto still = [&](const std::string& frame) {
        must_work(folder, Words{"in.mp4", "still.png", "--frame", frame});
        return load(folder / "still.png");
    };
    CHECK(same_pixels(still("last"), still("49")));
    CHECK(same_pixels(still("50%"), still("25")));
    CHECK(same_pixels(still("0%"), still("0")));
    CHECK_FALSE(same_pixels(still("last"), still("48")));
    for (const std::string wrong : {"2s..1s", "1s", "9..2", "..", "soon..9"}) {
        const ProgramResult result = run_video(folder, Words{"in.mp4", "part.mkv", "--frames", wrong});
        CHECK(result.status == 2);
        CHECK(result.err.starts_with(fmt::format("glproc: error: --frames {} is not a range of frames", wrong)));
    }
    ffmpeg(folder.path(), {"-i", "in.mp4", "f-%02d.png"});
    must_work(folder, Words{"f-%02d.png", "last.png", "--frame", "last"});
    CHECK(same_pixels(load(folder / "last.png"), load(folder / "f-50.png")));
    CHECK(run_video(folder, Words{"f-%02d.png", "last.png", "--frame", "101%"}).status == 2);
}

TEST_CASE("video: more than 8 bits become H.265 that Apple plays, and the index comes first") {
    const TempDir folder;
    ffmpeg(folder.path(), test_picture("96x64", "0.4") + Words{"-pix_fmt", "yuv420p10le", "-c:v", "ffv1", "deep.mkv"});
    make_video(folder, "in.mp4", "0.4");
    for (const std::string end : {"mp4", "mov"}) {
        must_work(folder, Words{"deep.mkv", "deep." + end});
        CHECK(stream_of(folder, "deep." + end, "v", "codec_name,codec_tag_string,pix_fmt") ==
              "codec_name=hevc\ncodec_tag_string=hvc1\npix_fmt=yuv420p10le\n");
        must_work(folder, Words{"in.mp4", "plain." + end});
        CHECK(stream_of(folder, "plain." + end, "v", "codec_name") == "codec_name=h264\n");
        CHECK(index_comes_first(read_text(folder / ("plain." + end))));
        CHECK(raw_frames(folder.path(), "plain." + end, "yuv420p").size() == 10 * 96 * 64 * 3 / 2);
    }
    must_work(folder, Words{"in.mp4", "hevc.mkv", "--codec", "hevc"});
    CHECK(stream_of(folder, "hevc.mkv", "v", "codec_name") == "codec_name=hevc\n");
    must_work(folder, Words{"deep.mkv", "avc.mp4", "--codec", "h264"});
    CHECK(stream_of(folder, "avc.mp4", "v", "codec_name") == "codec_name=h264\n");
    const std::string hlg = tagged("bt2020nc", "tv", "bt2020", "arib-std-b67");
    ffmpeg(folder.path(), test_picture("96x64", "0.2") +
                              Words{"-vf", "format=yuv420p10le," + hlg, "-c:v", "ffv1", "hlg.mkv"});
    must_work(folder, Words{"hlg.mkv", "hlg.mp4"});
    CHECK(stream_of(folder, "hlg.mp4", "v", "codec_name,color_transfer") ==
          "codec_name=hevc\ncolor_transfer=arib-std-b67\n");
}

TEST_CASE("video: options of the encoder by its own names") {
    const TempDir folder;
    make_video(folder, "in.mp4");
    must_work(folder, Words{"in.mp4", "out.mp4", "--encoder-option", "g=5", "--encoder-option", "bf=0"});
    const std::string keys = ffprobe(folder.path(), {"-select_streams", "v", "-show_entries", "frame=key_frame,pict_type",
                                                     "-of", "csv=p=0", "out.mp4"});
    std::size_t i = 0;
    for (const std::string& line : lines_of(keys)) {
        if (line.empty()) {
            continue;
        }
        CHECK(line.starts_with("1") == (i++ % 5 == 0));
        CHECK(line.find('B') == std::string::npos);
    }
    CHECK(i == 50);
    const auto refused = [&](const std::string& option, const std::string& error) {
        const ProgramResult result = run_video(folder, Words{"in.mp4", "no.mp4", "--encoder-option", option});
        CHECK(result.status == 2);
        CHECK(result.err.find("glproc: error: " + error) != std::string::npos); // x264 speaks first
        CHECK_FALSE(std::filesystem::exists(folder / "no.mp4"));
    };
    refused("tuen=film", "libx264 has no option 'tuen' (did you mean 'tune'?)");
    refused("tune", "--encoder-option tune is not NAME=VALUE");
    refused("=film", "--encoder-option =film is not NAME=VALUE");
    refused("tune=fiml", "no.mp4: libx264 cannot encode this: ");
}

TEST_CASE("video: --even drops what is odd") {
    const TempDir folder;
    ffmpeg(folder.path(), test_picture("97x65", "0.2") + Words{"-vf", "gblur=3,hue=s=0.4,format=yuv444p,scale=97:65", "-c:v", "ffv1", "in.mkv"});
    ffmpeg(folder.path(), {"-i", "in.mkv", "-pix_fmt", "yuv420p", "-c:v", "ffv1", "halved.mkv"});
    CHECK(run_video(folder, Words{"halved.mkv", "out.mp4"}).status == 2);
    must_work(folder, Words{"halved.mkv", "out.mp4", "--even"});
    CHECK(stream_of(folder, "out.mp4", "v", "width,height") == "width=96\nheight=64\n");
    must_work(folder, Words{"in.mkv", "out.mkv", "--codec", "ffv1", "--even"} + identity);
    CHECK(stream_of(folder, "out.mkv", "v", "width,height") == "width=96\nheight=64\n");
    ffmpeg(folder.path(), {"-i", "in.mkv", "-vf", "crop=96:64:0:0", "-c:v", "ffv1", "expected.mkv"});
    const std::string ours = raw_frames(folder.path(), "out.mkv", "yuv444p");
    const std::string expected = raw_frames(folder.path(), "expected.mkv", "yuv444p");
    REQUIRE(ours.size() == expected.size());
    int worst = 0;
    for (std::size_t i = 0; i < ours.size(); ++i) {
        worst = std::max(worst, std::abs(static_cast<unsigned char>(ours[i]) - static_cast<unsigned char>(expected[i])));
    }
    CHECK(worst <= 1);
    must_work(folder, Words{"halved.mkv", "out.mp4", "--even", "resize", "49x33"});
    CHECK(stream_of(folder, "out.mp4", "v", "width,height") == "width=48\nheight=32\n");
}

TEST_CASE("video: other matrices and ranges, as ffmpeg converts them") {
    const TempDir folder;
    const Words smooth{"-vf", "gblur=3,hue=s=0.4,scale=out_color_matrix=bt601:out_range=tv,format=yuv444p," +
                                  tagged("smpte170m", "tv")};
    ffmpeg(folder.path(), test_picture("96x64", "0.2") + smooth + Words{"-c:v", "ffv1", "in.mkv"});
    must_work(folder, Words{"in.mkv", "out.mkv", "--codec", "ffv1", "--to-matrix", "bt709", "--to-range", "full"});
    ffmpeg(folder.path(), {"-i", "in.mkv", "-vf",
                           "scale=in_color_matrix=bt601:in_range=tv:out_color_matrix=bt709:out_range=pc:flags=accurate_rnd+full_chroma_int+bitexact",
                           "-color_range", "pc", "-c:v", "ffv1", "expected.mkv"});
    CHECK(stream_of(folder, "out.mkv", "v", "color_range,color_space") == "color_range=pc\ncolor_space=bt709\n");
    const std::string ours = raw_frames(folder.path(), "out.mkv", "yuv444p");
    const std::string expected = raw_frames(folder.path(), "expected.mkv", "yuv444p");
    REQUIRE(ours.size() == expected.size());
    int worst = 0;
    for (std::size_t i = 0; i < ours.size(); ++i) {
        worst = std::max(worst, std::abs(static_cast<unsigned char>(ours[i]) - static_cast<unsigned char>(expected[i])));
    }
    CHECK(worst <= 2);
    CHECK(worst > 0);
    CHECK((ours != raw_frames(folder.path(), "in.mkv", "yuv444p")));
}

TEST_CASE("video: one of several tracks") {
    const TempDir folder;
    ffmpeg(folder.path(), test_picture("96x64", "0.4") + test_picture("64x48", "0.4") +
                              Words{"-f", "lavfi", "-i", "sine=440:d=0.4", "-f", "lavfi", "-i", "sine=880:d=0.4", "-map", "0", "-map",
                                    "1", "-map", "2", "-map", "3"} +
                              x264 + Words{"-pix_fmt", "yuv420p", "-c:a:0", "aac", "-c:a:1", "flac", "in.mkv"});
    must_work(folder, Words{"in.mkv", "first.png", "--frame", "0"});
    CHECK(load(folder / "first.png").width() == 96);
    must_work(folder, Words{"in.mkv", "second.png", "--frame", "0", "--video-track", "2"});
    CHECK(load(folder / "second.png").width() == 64);
    must_work(folder, Words{"in.mkv", "out.mkv", "--sound-track", "2"});
    CHECK(stream_of(folder, "out.mkv", "a", "codec_name") == "codec_name=flac\n");
    const ProgramResult video_beyond = run_video(folder, Words{"in.mkv", "no.mkv", "--video-track", "3"});
    CHECK(video_beyond.status == 3);
    CHECK(video_beyond.err == "glproc: error: in.mkv: there is no video track 3: it has 2\n");
    const ProgramResult sound_beyond = run_video(folder, Words{"in.mkv", "no.mkv", "--sound-track", "3"});
    CHECK(sound_beyond.status == 2);
    CHECK(sound_beyond.err == "glproc: error: there is no sound track 3: in.mkv has 2\n");
}
