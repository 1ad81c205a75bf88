// glproc video --depth: samples of more and fewer bits.
#include "glproc/base/random_words.hpp"

#include "video/video_program.hpp"

#include <algorithm>
#include <cstdint>

#include <fmt/format.h>

using namespace glproc;
using namespace glproc::test;

namespace {

/// The codes of all planes of all frames.
std::vector<std::uint32_t> codes_of(const TempDir& folder, const std::string& video,
                                    const std::string& format) {
    const std::string bytes = raw_frames(folder.path(), video, format);
    const auto byte = [&](std::size_t at) {
        return static_cast<std::uint32_t>(static_cast<unsigned char>(bytes.at(at)));
    };
    const std::size_t size = format.ends_with("le") ? 2 : 1;
    std::vector<std::uint32_t> codes(bytes.size() / size);
    for (std::size_t i = 0; i < codes.size(); ++i) {
        codes[i] = byte(size * i) + (size == 2 ? 256 * byte(2 * i + 1) : 0);
    }
    return codes;
}

/// All codes, also those that black and white do not reach: three frames of 32x16 and 4:4:4, or more.
std::string noise(int bytes, unsigned bits) {
    std::string codes;
    RandomWords words;
    for (int i = 0; i < 3 * 3 * 32 * 16; ++i) {
        const std::uint32_t code = (words() >> 8U) & ((1U << bits) - 1);
        codes += static_cast<char>(code & 255U);
        codes += bytes == 2 ? std::string(1, static_cast<char>(code >> 8U)) : "";
    }
    return codes;
}

std::string pixels_of(const TempDir& folder, const std::string& video) {
    return ffprobe(folder.path(), {"-select_streams", "v", "-show_entries", "stream=codec_name,pix_fmt",
                                   "-of", "csv=p=0", video});
}

} // namespace

TEST_CASE("video --depth: each sample is rounded, and means the same") {
    const TempDir folder;
    struct Kind {
        std::string from;
        std::string range;
        int bits;
        std::string to;
        std::uint32_t dividend; ///< of one range by the other
        std::uint32_t divisor;
        std::uint32_t most;
    };
    for (const Kind& kind : {Kind{"yuv420p10le", "tv", 8, "yuv420p", 1, 4, 255},
                             {"yuv422p12le", "tv", 8, "yuv422p", 1, 16, 255},
                             {"yuv444p12le", "tv", 10, "yuv444p10le", 1, 4, 1023},
                             {"yuv420p10le", "pc", 8, "yuv420p", 255, 1023, 255},
                             {"yuv420p", "tv", 10, "yuv420p10le", 4, 1, 1023},
                             {"yuv420p", "tv", 9, "yuv420p9le", 2, 1, 511}}) {
        INFO(kind.from << " of " << kind.range << " with " << kind.bits);
        write_text(folder / "in.raw", noise(kind.from.ends_with("le") ? 2 : 1,
                                            kind.from.find("12") != std::string::npos ? 12 : 10));
        ffmpeg(folder.path(), {"-f", "rawvideo", "-pix_fmt", kind.from, "-s", "32x16", "-color_range",
                               kind.range, "-i", "in.raw", "-c:v", "ffv1", "in.mkv"});
        REQUIRE(pixels_of(folder, "in.mkv") == "ffv1," + kind.from + "\n");
        must_work(folder, {"in.mkv", "out.mkv", "--codec", "ffv1", "--depth", std::to_string(kind.bits)});
        CHECK(pixels_of(folder, "out.mkv") == "ffv1," + kind.to + "\n");
        std::vector<std::uint32_t> wanted = codes_of(folder, "in.mkv", kind.from);
        std::transform(wanted.begin(), wanted.end(), wanted.begin(), [&](std::uint32_t code) {
            return std::min((2 * code * kind.dividend + kind.divisor) / (2 * kind.divisor), kind.most);
        });
        CHECK((codes_of(folder, "out.mkv", kind.to) == wanted));
    }
}

TEST_CASE("video --depth: beside operations, of images, and where a codec does not have it") {
    const TempDir folder;
    ffmpeg(folder.path(),
           test_picture("96x64", "0.12") + Words{"-pix_fmt", "yuv420p10le", "-c:v", "ffv1", "in.mkv"});
    ffmpeg(folder.path(), test_picture("96x64", "0.12") + Words{"-pix_fmt", "rgb48be", "f%d.png"});
    must_work(folder, {"in.mkv", "out.mp4"});
    CHECK(pixels_of(folder, "out.mp4") == "hevc,yuv420p10le\n");
    for (const Words& words : {Words{"--depth", "8"},
                               {"convert", "--depth", "8"},
                               {"crop", "64x64+8+0", "--depth", "8"},
                               {"blur", "--sigma=1", "--depth=8"}}) {
        INFO(words.front());
        must_work(folder, Words{"in.mkv", "out.mp4"} + words);
        CHECK(pixels_of(folder, "out.mp4") == "h264,yuv420p\n");
    }
    for (const Words& moved : {Words{"crop", "32x16+8+4"}, {"rotate", "180"}, {"pad", "--margin", "8", "--background", "black"}}) { // on planes
        INFO(moved.front());
        must_work(folder, Words{"in.mkv", "moved.mkv", "--codec", "ffv1"} + moved);
        must_work(folder, {"moved.mkv", "after.mkv", "--codec", "ffv1", "--depth", "8"});
        must_work(folder, Words{"in.mkv", "both.mkv", "--codec", "ffv1", "--depth", "8"} + moved);
        CHECK((codes_of(folder, "both.mkv", "yuv420p") == codes_of(folder, "after.mkv", "yuv420p")));
    }
    must_work(folder, {"f%d.png", "out.mp4"});
    CHECK(pixels_of(folder, "out.mp4") == "hevc,yuv420p12le\n");
    must_work(folder, {"f%d.png", "out.mp4", "--depth", "8"});
    CHECK(pixels_of(folder, "out.mp4") == "h264,yuv420p\n");
    const auto said = [&](const Words& words) {
        return run_glproc(folder.path(), Words{"video", "in.mkv"} + words).err;
    };
    CHECK(said({"out.mov", "--codec", "prores", "--depth", "8"})
              .find("glproc: warning: out.mov: prores has no 8 bits, it is written with 10\n") !=
          std::string::npos);
    CHECK(said({"out.mkv", "--codec", "h264", "--depth", "12"})
              .find("glproc: warning: out.mkv: libx264 has no yuv420p12le, it is written as yuv420p10le\n") !=
          std::string::npos);
    CHECK(said({"out.mkv", "--codec", "ffv1", "--depth", "11"}).find("ffv1 has no 11 bits, it is written with 12") != std::string::npos);
    CHECK(pixels_of(folder, "out.mkv") == "ffv1,yuv420p12le\n");
    must_work(folder, {"f%d.png", "rgb.mkv", "--codec", "ffv1", "--depth", "15"});
    CHECK(pixels_of(folder, "rgb.mkv") == "ffv1,gbrp16le\n");
    CHECK(said({"still-%d.png", "--depth", "8"}) ==
          "glproc: error: --depth is for videos, which still-%d.png is not\n");
    CHECK(said({"out.mkv", "--depth", "17"}).starts_with("glproc: error: "));
}
