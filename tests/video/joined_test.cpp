// glproc video --append: videos one after another.
#include "cli/hint_folder.hpp"
#include "video/video_program.hpp"

#include <cmath>
#include <iterator>
#include <set>
#include <sstream>

#include <fmt/format.h>

using namespace glproc;
using namespace glproc::test;

namespace {

void make_video(const TempDir& folder, const std::string& name, int tone, const std::string& seconds = "1",
               const std::string& size = "96x64") {
    ffmpeg(folder.path(), test_picture(size, seconds) + Words{"-f", "lavfi", "-i", fmt::format("sine={}:d={}", tone, seconds)} + x264 +
                              Words{"-pix_fmt", "yuv420p", "-c:a", "aac", name});
}

std::vector<double> times_of(const TempDir& folder, const std::string& video, const std::string& stream) {
    std::vector<double> times;
    for (const std::string& line : lines_of(ffprobe(folder.path(), {"-select_streams", stream, "-show_entries", "packet=pts_time", "-of",
                                                                     "csv=p=0", video}))) {
        if (!line.empty()) {
            times.push_back(std::stod(line));
        }
    }
    std::sort(times.begin(), times.end());
    return times;
}

} // namespace

TEST_CASE("video: films follow each other frame by frame, with their sound") {
    const TempDir folder;
    make_video(folder, "a.mp4", 440);
    make_video(folder, "b.mkv", 880, "1.2");
    make_video(folder, "c.mp4", 660);
    must_work(folder, {"a.mp4", "all.mkv", "--append", "c.mp4", "--append", "a.mp4", "--codec", "ffv1"});
    CHECK(raw_frames(folder.path(), "all.mkv", "yuv420p") ==
          raw_frames(folder.path(), "a.mp4", "yuv420p") + raw_frames(folder.path(), "c.mp4", "yuv420p") +
              raw_frames(folder.path(), "a.mp4", "yuv420p"));
    const std::vector<double> frames = times_of(folder, "all.mkv", "v");
    REQUIRE(frames.size() == 75);
    for (std::size_t i = 0; i < frames.size(); ++i) {
        CHECK(std::abs(frames[i] - frames[0] - static_cast<double>(i) / 25) < 0.0015);
    }
    const std::vector<double> sound = times_of(folder, "all.mkv", "a");
    const std::size_t each = times_of(folder, "a.mp4", "a").size();
    CHECK(sound.size() + 6 > 3 * each);
    for (std::size_t i = 1; i < sound.size(); ++i) {
        CHECK(sound[i] - sound[i - 1] > 0);
        CHECK(sound[i] - sound[i - 1] < 0.05);
    }
    // Another container, whose times have another unit, and sound that is encoded again.
    must_work(folder, {"a.mp4", "two.mkv", "--append", "b.mkv", "--only-video", "--codec", "ffv1"});
    const std::vector<double> two = times_of(folder, "two.mkv", "v");
    REQUIRE(two.size() == 55);
    CHECK(std::abs(two[25] - two[24] - 1.0 / 25) < 0.0025);
    CHECK(std::abs(two.back() - two[0] - 54.0 / 25) < 0.0025);
    must_work(folder, {"a.mp4", "opus.webm", "--append", "c.mp4"});
    CHECK(std::abs(times_of(folder, "opus.webm", "a").back() - 2) < 0.1);
}

namespace {

/// Types what each hint says, with the file that it makes in the place of the one it is made of, until both
/// videos are one; all that was said.
std::string join_by_hints(const TempDir& folder, Words pair) {
    std::set<std::string> made;
    std::string said = pair[0] + " and " + pair[1] + ":\n";
    for (int step = 0; step < 6; ++step) {
        const ProgramResult result =
            run_video(folder, {pair[0], "o.mkv", "--append", pair[1], "--codec", "ffv1"});
        said += result.err;
        if (result.status == 0) {
            for (const std::string& file : made) { // ffmpeg would ask before it replaces one
                std::filesystem::remove(folder / file);
            }
            return said;
        }
        const std::size_t at = result.err.find("first: ");
        INFO(said);
        REQUIRE(at != std::string::npos);
        const std::string call = result.err.substr(at + 7, result.err.size() - at - 8);
        REQUIRE(typed(folder.path(), call + " < /dev/null").status == 0);
        std::istringstream words(call);
        Words all(std::istream_iterator<std::string>(words), {});
        const std::string& result_name = all.front() == "glproc" ? all.at(3) : all.back();
        CHECK(made.insert(result_name).second);
        std::replace(pair.begin(), pair.end(), all.at(2), result_name);
    }
    INFO(said);
    CHECK(false);
    return said;
}

} // namespace

TEST_CASE("video: the hints of --append lead to a video") {
    const TempDir folder;
    const auto made = [&](const std::string& name, const Words& flags) {
        ffmpeg(folder.path(), test_picture("96x64", "0.2") + flags + Words{name});
    };
    const auto encoded = [&](const std::string& name, const std::string& format, const Words& flags = {}) {
        made(name, x264 + Words{"-pix_fmt", format} + flags);
    };
    encoded("a.mkv", "yuv420p", {"-vf", "setsar=16/11"});
    made("an.gif", {});
    made("rgb.mkv", {"-c:v", "ffv1", "-pix_fmt", "bgr0"});
    encoded("named.mkv", "yuv420p", {"-color_trc", "smpte170m"});
    encoded("pq.mkv", "yuv420p",
            {"-color_trc", "smpte2084", "-color_primaries", "bt2020", "-colorspace", "bt2020nc"});
    const Words videos{"a.mkv", "an.gif", "rgb.mkv", "named.mkv", "pq.mkv"};
    for (const std::string& first : videos) {
        for (const std::string& second : videos) {
            join_by_hints(folder, {first, second});
        }
    }
    // Of depth, layout, alpha and size each way is another one.
    encoded("plain.mkv", "yuv420p");
    encoded("ten.mkv", "yuv420p10le");
    made("nine.mkv", {"-c:v", "ffv1", "-pix_fmt", "yuv420p9le"});
    made("ten-rgb.mkv", {"-c:v", "ffv1", "-pix_fmt", "gbrp10le"});
    encoded("half.mkv", "yuv422p");
    encoded("whole.mkv", "yuv444p10le");
    encoded("corner.mkv", "yuv420p", {"-chroma_sample_location", "topleft"});
    encoded("small.mkv", "yuv420p", {"-s", "48x32"});
    encoded("full.mkv", "yuv420p", {"-vf", "scale=out_range=full", "-color_range", "pc"});
    made("clear.mkv", {"-vf", "colorchannelmixer=aa=0.5", "-c:v", "ffv1", "-pix_fmt", "yuva420p"});
    const auto both_ways = [&](const std::string& first, const std::string& second, const std::string& way) {
        const std::string said = join_by_hints(folder, {first, second});
        INFO(said);
        CHECK(said.find(way) != std::string::npos);
        join_by_hints(folder, {second, first});
    };
    both_ways("plain.mkv", "ten.mkv", ": glproc video ten.mkv ten-same.mkv --depth 8\n");
    both_ways("ten.mkv", "plain.mkv", ": glproc video plain.mkv plain-same.mkv --depth 10\n");
    both_ways("nine.mkv", "plain.mkv", ": glproc video plain.mkv plain-same.mkv --depth 9 --codec ffv1\n");
    both_ways("rgb.mkv", "ten-rgb.mkv",
              ": glproc video ten-rgb.mkv ten-rgb-same.mkv --depth 8 --codec ffv1\n");
    both_ways("half.mkv", "plain.mkv",
              ": ffmpeg -i plain.mkv -pix_fmt yuv422p -c:v ffv1 -c:a copy plain-same.mkv\n");
    both_ways("whole.mkv", "plain.mkv", ": ffmpeg -i plain-same.mkv -pix_fmt yuv444p10le ");
    both_ways("plain.mkv", "corner.mkv", ": ffmpeg -i plain.mkv -pix_fmt yuv444p ");
    both_ways("plain.mkv", "small.mkv",
              ": glproc video small.mkv small-same.mkv resize 96x64 --fit then pad ");
    both_ways("plain.mkv", "full.mkv",
              ": glproc video full.mkv full-same.mkv --to-matrix bt601 --to-range limited\n");
    both_ways("plain.mkv", "clear.mkv",
              ": glproc video clear.mkv clear-same.mkv convert --alpha flatten:black\n");
    // Of sound.
    const auto sounding = [&](const std::string& name, const Words& sound) {
        ffmpeg(folder.path(), Words{"-i", "plain.mkv", "-f", "lavfi", "-i", "sine=d=0.2", "-c:v", "copy"} +
                                  sound + Words{name});
    };
    sounding("aac.mkv", {"-c:a", "aac"});
    sounding("flac.mkv", {"-c:a", "flac"});
    sounding("stereo.mkv", {"-c:a", "libopus", "-ac", "2"});
    both_ways("aac.mkv", "flac.mkv", ": glproc video flac.mkv flac-same.mkv --sound aac\n");
    both_ways("aac.mkv", "stereo.mkv",
              ": ffmpeg -i stereo.mkv -c:v copy -c:a aac -ar 44100 -ac 1 stereo-same.mkv\n");
    both_ways("flac.mkv", "stereo.mkv", ": glproc video flac.mkv flac-same.mkv --sound aac\n");
    std::filesystem::copy_file(folder / "ten.mkv", folder / "my clip.mkv");
    const ProgramResult quoted = run_video(folder, {"plain.mkv", "o.mkv", "--append", "my clip.mkv"});
    CHECK(quoted.err.ends_with("first: glproc video 'my clip.mkv' 'my clip-same.mkv' --depth 8\n"));
}

TEST_CASE("video: films that cannot follow are refused before any work") {
    const TempDir folder;
    make_video(folder, "a.mp4", 440);
    make_video(folder, "large.mp4", 440, "0.4", "128x96");
    ffmpeg(folder.path(), {"-i", "a.mp4", "-c:v", "copy", "-an", "silent.mp4"});
    const auto refused = [&](const Words& words, int status, const std::string& error) {
        const ProgramResult result = run_video(folder, Words{"a.mp4", "no.mp4"} + words);
        CHECK(result.status == status);
        CHECK(result.err.starts_with("glproc: error: " + error));
        CHECK_FALSE(std::filesystem::exists(folder / "no.mp4"));
    };
    refused({"--append", "large.mp4"}, 3, "large.mp4: 128x96 of yuv420p, but a.mp4 is 96x64 of yuv420p\n");
    refused({"--append", "silent.mp4"}, 3, "silent.mp4: it has 0 sound tracks, but a.mp4 has 1\n");
    refused({"--append", "gone.mp4"}, 3, "gone.mp4: no such file");
    refused({"--append", "a.mp4", "--frames", "0..9"}, 2, "--append joins whole videos");
    must_work(folder, {"a.mp4", "yes.mp4", "--append", "silent.mp4", "--sound", "none"});
    const ProgramResult still = run_video(folder, {"a.mp4", "f.png", "--frame", "0", "--volume", "2"});
    CHECK(still.status == 2);
    CHECK(still.err == "glproc: error: --volume is for videos, which f.png is not\n");
}

TEST_CASE(
    "video: films whose pixels have another shape or depth do not follow, and the hint brings them there") {
    const TempDir folder;
    make_video(folder, "a.mp4", 440);
    const auto made = [&](const std::string& filter, const std::string& format, const std::string& name) {
        ffmpeg(folder.path(),
               test_picture("96x64", "0.4") + Words{"-vf", filter} + x264 + Words{"-pix_fmt", format, name});
    };
    made("setsar=16/11", "yuv420p", "wide.mp4");
    made("setsar=1", "yuv420p10le", "deep.mp4");
    const auto refused = [&](const std::string& video, const std::string& error) {
        const ProgramResult result = run_video(folder, {"a.mp4", "no.mkv", "--append", video, "--only-video"});
        CHECK(result.status == 3);
        CHECK(result.err == "glproc: error: " + error + "\n");
    };
    refused("wide.mp4",
            "wide.mp4: its pixels are 1.455 times as wide as high, but those of a.mp4 1 times\n"
            "  hint: bring it into the same shape first: glproc video wide.mp4 wide-same.mkv resize 140x64");
    must_work(folder, {"wide.mp4", "same.mkv", "resize", "140x64"});
    const ProgramResult larger = run_video(folder, {"a.mp4", "no.mkv", "--append", "same.mkv", "--only-video"});
    CHECK(larger.err ==
          "glproc: error: same.mkv: 140x64 of yuv420p, but a.mp4 is 96x64 of yuv420p\n"
          "  hint: bring it into the same form first: glproc video same.mkv same-same.mkv resize "
          "96x64 --fit then pad --size 96x64\n");
    must_work(folder, {"same.mkv", "same.mkv", "resize", "96x64", "--fit", "then", "pad", "--size", "96x64"});
    must_work(folder, {"a.mp4", "yes.mkv", "--append", "same.mkv", "--only-video"});
    refused("deep.mp4",
            "deep.mp4: 96x64 of yuv420p10le, but a.mp4 is 96x64 of yuv420p\n"
            "  hint: bring it into the same form first: glproc video deep.mp4 deep-same.mkv --depth 8");
    must_work(folder, {"deep.mp4", "same.mkv", "--depth", "8"});
    CHECK(ffprobe(folder.path(), {"-show_entries", "stream=codec_name,pix_fmt", "-of", "csv=p=0",
                                  "same.mkv"}) == "h264,yuv420p\n");
    must_work(folder, {"a.mp4", "yes.mkv", "--append", "same.mkv", "--only-video"});
}
