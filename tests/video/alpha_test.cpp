// glproc video: alpha is read, processed and written.
#include "video/video_program.hpp"

#include <algorithm>
#include <cstdlib>

#include <fmt/format.h>

using namespace glproc;
using namespace glproc::test;

namespace {

/// A moving picture that is clear at its edges and opaque in the middle.
Words clear_picture(const std::string& pixels) {
    return test_picture("96x64", "0.2") +
           Words{"-vf", "gblur=2,hue=s=0.4,format=rgba,geq=r='r(X,Y)':g='g(X,Y)':b='b(X,Y)':"
                        "a='clip(300-8*hypot(X-W/2,Y-H/2)+N,0,255)',format=" +
                            pixels};
}

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

/// The alpha of all frames as ffmpeg decodes it.
std::string alpha_of(const TempDir& folder, const std::string& video, const std::string& decoder, const std::string& grey) {
    Words words = decoder.empty() ? Words{} : Words{"-c:v", decoder};
    return ffmpeg(folder.path(), words + Words{"-i", video, "-vf", "alphaextract,format=" + grey, "-f", "rawvideo", "-"});
}

} // namespace

TEST_CASE("video: alpha passes a chain that changes nothing, bit for bit where nothing is lost") {
    const TempDir folder;
    struct Kind {
        const char* pixels;
        const char* codec;
        const char* end;
        bool deep;
    };
    for (const Kind& kind : {Kind{"bgra", "ffv1", "mkv", false}, {"yuva420p", "ffv1", "mkv", false},
                             {"yuva444p10le", "ffv1", "mkv", true}, {"gbrap12le", "ffv1", "mkv", true}, {"argb", "qtrle", "mov", false}}) {
        INFO(kind.pixels << " " << kind.codec);
        const std::string in = fmt::format("in.{}", kind.end);
        const std::string out = fmt::format("out.{}", kind.end);
        ffmpeg(folder.path(), clear_picture(kind.pixels) + Words{"-c:v", kind.codec, in});
        must_work(folder, Words{in, out, "--codec", kind.codec} + identity);
        const std::string grey = kind.deep ? "gray16le" : "gray";
        CHECK(alpha_of(folder, out, "", grey) == alpha_of(folder, in, "", grey));
        const bool rgb = std::string(kind.pixels).find("yuv") == std::string::npos;
        CHECK(worst_of(raw_frames(folder.path(), out, kind.pixels), raw_frames(folder.path(), in, kind.pixels), kind.deep) <=
              (rgb ? 0 : 1));
    }
}

TEST_CASE("video: alpha goes from codec to codec") {
    const TempDir folder;
    ffmpeg(folder.path(), clear_picture("bgra") + Words{"-c:v", "ffv1", "in.mkv"});
    const std::string before = alpha_of(folder, "in.mkv", "", "gray");
    must_work(folder, Words{"in.mkv", "out.mov", "--codec", "prores"});
    CHECK(worst_of(alpha_of(folder, "out.mov", "", "gray"), before, false) <= 1);
    CHECK(ffprobe(folder.path(), {"-show_entries", "stream=profile,pix_fmt", "-of", "csv=p=0", "out.mov"})
              .find("yuva444p") != std::string::npos);
    must_work(folder, Words{"out.mov", "rle.mov", "--codec", "qtrle"});
    CHECK(worst_of(alpha_of(folder, "rle.mov", "", "gray"), before, false) <= 1);
    must_work(folder, Words{"in.mkv", "out.webm", "--crf", "4"});
    CHECK(worst_of(alpha_of(folder, "out.webm", "libvpx-vp9", "gray"), before, false) <= 24);
    must_work(folder, Words{"out.webm", "back.mkv", "--codec", "ffv1"});
    CHECK(alpha_of(folder, "back.mkv", "", "gray") == alpha_of(folder, "out.webm", "libvpx-vp9", "gray"));
    // Stills and images by number.
    must_work(folder, Words{"in.mkv", "still.png", "--frame", "0"});
    CHECK(load(folder / "still.png").channels() == 4);
    must_work(folder, Words{"in.mkv", "f-%02d.png"});
    must_work(folder, Words{"f-%02d.png", "again.mkv", "--codec", "ffv1"});
    CHECK(alpha_of(folder, "again.mkv", "", "gray") == before);
}

TEST_CASE("video: an output without alpha says so") {
    const TempDir folder;
    ffmpeg(folder.path(), clear_picture("bgra") + Words{"-c:v", "ffv1", "in.mkv"});
    CHECK(run_glproc(folder.path(), {"video", "in.mkv", "out.mp4"}).err.find("in.mkv: its alpha channel is left out") !=
          std::string::npos);
    CHECK(run_glproc(folder.path(), {"video", "in.mkv", "out.jpg", "--frame", "0"}).err.find("in.mkv: its alpha channel is left out") !=
          std::string::npos);
    must_work(folder, Words{"in.mkv", "f-%02d.png"});
    const ProgramResult result = run_video(folder, Words{"f-%02d.png", "no.mp4"});
    CHECK(result.status == 2);
    CHECK(result.err.starts_with("glproc: error: no.mp4: h264 in mp4 has no alpha channel, but the result has one\n"));
}
