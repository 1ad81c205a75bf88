// glproc video: subtitles of a part of a video.
#include "video/video_program.hpp"

#include <fmt/format.h>

using namespace glproc;
using namespace glproc::test;

namespace {

/// When each of a video's subtitles is shown and what it says, a line each, as ffmpeg makes an SRT of it.
std::string shown(const TempDir& folder, const std::string& video, int track = 0) {
    std::string text;
    for (const std::string& line : lines_of(
             ffmpeg(folder.path(), {"-i", video, "-map", fmt::format("0:s:{}", track), "-f", "srt", "-"}))) {
        const bool is_number = !line.empty() && line.find_first_not_of("0123456789") == std::string::npos;
        text += line.empty() || is_number ? "" : line + (line.find("-->") == std::string::npos ? "\n" : " ");
    }
    return text;
}

} // namespace

TEST_CASE("video: what is on screen where a part begins or ends is shown for the rest of its time") {
    const TempDir folder;
    write_text(folder / "words.srt", "1\n00:00:00,200 --> 00:00:01,000\nover\n\n"
                                     "2\n00:00:01,200 --> 00:00:07,000\nlong\n\n"
                                     "3\n00:00:07,500 --> 00:00:09,500\nlate\n");
    write_text(folder / "both.srt", "1\n00:00:00,100 --> 00:00:09,900\nall along\n\n"
                                    "2\n00:00:05,500 --> 00:00:06,500\nabove it\n");
    const auto make = [&](const std::string& video, const Words& subtitles, const Words& codec) {
        ffmpeg(folder.path(),
               test_picture("96x64", "10") + subtitles + x264 + Words{"-g", "25"} + codec + Words{video});
    };
    const Words first{"-i", "words.srt"};
    const Words maps{"-map", "0", "-map", "1"};
    make("in.mp4", first + maps, {"-c:s", "mov_text"});
    make("in.mkv", first + Words{"-i", "both.srt"} + maps + Words{"-map", "2"}, {"-c:s", "srt"});
    make("ass.mkv", first + maps, {"-c:s", "ass"});
    const std::string part = "00:00:00,000 --> 00:00:01,000 long\n00:00:01,500 --> 00:00:02,000 late\n";
    for (const std::string in :
         {"in.mkv", "in.mp4", "ass.mkv"}) { // the cue begins nearly five seconds earlier
        for (const Words& times : {Words{"--from", "6s", "--to", "8s"}, Words{"--frames", "150..199"}}) {
            INFO(in << " " << times.at(0));
            const std::string out = "out-" + in;
            const ProgramResult result =
                run_glproc(folder.path(), Words{"video", in, out} + times + identity);
            CHECK(result.status == 0);
            CHECK(result.err == "");
            CHECK(shown(folder, out) == part);
            CHECK(std::stod(ffprobe(folder.path(),
                                    {"-show_entries", "format=duration", "-of", "csv=p=0", out})) < 2.05);
        }
    }
    CHECK(shown(folder, "out-in.mkv", 1) ==
          "00:00:00,000 --> 00:00:02,000 all along\n00:00:00,000 --> 00:00:00,500 above it\n");
    must_work(folder, Words{"in.mkv", "start.mkv", "--to", "0.6s"} + identity); // only its end is cut
    CHECK(shown(folder, "start.mkv") == "00:00:00,200 --> 00:00:00,600 over\n");
    must_work(folder, Words{"in.mkv", "between.mkv", "--from", "7s"} + identity);
    CHECK(shown(folder, "between.mkv") == "00:00:00,500 --> 00:00:02,500 late\n");
    must_work(folder, Words{"in.mkv", "all.mkv"} + identity);
    CHECK(shown(folder, "all.mkv") == shown(folder, "in.mkv"));
}

TEST_CASE("video: an image of subtitles that cannot be cut is named where a part leaves it out") {
    const TempDir folder;
    // Presentation Graphics: at 1 s an image, at 3 s none.
    const auto segment = [](unsigned seconds, unsigned type, const std::string& data) {
        std::string bytes = "PG";
        for (const unsigned word : {seconds * 90000, 0U}) {
            for (const unsigned shift : {24U, 16U, 8U, 0U}) {
                bytes += static_cast<char>(word >> shift & 255U);
            }
        }
        return bytes + static_cast<char>(type) + '\0' + static_cast<char>(data.size()) + data;
    };
    std::string images;
    for (const auto& [seconds, count] : {std::pair{1U, 1}, {3U, 0}}) {
        std::string data{'\0',
                         96,
                         '\0',
                         64,
                         0x10,
                         '\0',
                         static_cast<char>(count),
                         static_cast<char>(0x80),
                         '\0',
                         '\0',
                         static_cast<char>(count)};
        data += count > 0 ? std::string(8, '\0') : "";
        images += segment(seconds, 0x16, data) + segment(seconds, 0x80, "");
    }
    write_text(folder / "images.sup", images);
    const Words both = test_picture("96x64", "6") + Words{"-i", "images.sup", "-map", "0", "-map", "1"} +
                       x264 + Words{"-c:s", "copy"};
    ffmpeg(folder.path(), both + Words{"open.mkv"});
    ffmpeg(folder.path(), {"-i", "open.mkv", "-map", "0", "-c", "copy", "-bsf:s", "setts=duration=2000", "timed.mkv"}); // milliseconds
    const auto said = [&](const std::string& in, const std::string& from, const Words& flags = {}) {
        const ProgramResult result =
            run_glproc(folder.path(), Words{"video", in, "out.mkv", "--from", from} + flags + identity);
        CHECK(result.status == 0);
        return result.err;
    };
    CHECK(said("timed.mkv", "1s") ==
          "glproc: warning: timed.mkv: an image of its subtitles (hdmv_pgs_subtitle) that is on "
          "screen at 1.00 s is left out\n");
    CHECK(said("timed.mkv", "5s") == "");
    CHECK(said("timed.mkv", "1s", {"--only-video"}) == "");
    CHECK(said("open.mkv", "1s") ==
          "glproc: warning: open.mkv: if one of its subtitles (hdmv_pgs_subtitle) is on screen at "
          "1.00 s, it is left out\n");
    CHECK(said("open.mkv", "0s") == "");
}

TEST_CASE("video: --append joins subtitles of text, and names those that it leaves out") {
    const TempDir folder;
    write_text(folder / "words.srt",
               "1\n00:00:00,200 --> 00:00:01,000\nfirst\n\n2\n00:00:00,200 --> 00:00:01,500\nbeside it\n");
    const auto make = [&](const std::string& video, const Words& codec) {
        ffmpeg(folder.path(),
               test_picture("96x64", "2") + Words{"-i", "words.srt"} + x264 + codec + Words{video});
    };
    make("a.mkv", {"-c:s", "srt"});
    make("ass.mkv", {"-c:s", "ass"});
    make("none.mkv", {"-sn"});
    const std::string once = "00:00:00,200 --> 00:00:01,000 first\n00:00:00,200 --> 00:00:01,500 beside it\n";
    const auto said = [&](const Words& words) {
        const ProgramResult result = run_glproc(folder.path(), Words{"video"} + words + identity);
        CHECK(result.status == 0);
        return result.err;
    };
    CHECK(said({"a.mkv", "out.mkv", "--append", "none.mkv", "--append", "a.mkv", "--sound", "none"}) == "");
    CHECK(shown(folder, "out.mkv") ==
          once + "00:00:04,200 --> 00:00:05,000 first\n00:00:04,200 --> 00:00:05,500 beside it\n");
    CHECK(said({"a.mkv", "out.mkv", "--append", "ass.mkv"}) ==
          "glproc: warning: ass.mkv: its subtitles are left out: a.mkv has none like them\n");
    CHECK(shown(folder, "out.mkv") == once);
    CHECK(said({"none.mkv", "out.mkv", "--append", "a.mkv"}) ==
          "glproc: warning: a.mkv: its subtitles are left out: none.mkv has none like them\n");
    CHECK(said({"none.mkv", "out.mkv", "--append", "a.mkv", "--only-video"}) == "");
}
