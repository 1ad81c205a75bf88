// glproc video: sound that is encoded again.
#include "video/video_program.hpp"

#include <cmath>
#include <cstring>

#include <fmt/format.h>

using namespace glproc;
using namespace glproc::test;

namespace {

std::string sound_of(const TempDir& folder, const std::string& video, const std::string& entries = "codec_name") {
    return ffprobe(folder.path(),
                   {"-select_streams", "a", "-show_entries", "stream=" + entries, "-of", "csv=p=0", video});
}

std::vector<float> samples(const TempDir& folder, const std::string& video) {
    const std::string bytes = ffmpeg(folder.path(), {"-i", video, "-map", "0:a:0", "-ac", "1", "-ar", "48000", "-f", "f32le", "-"});
    std::vector<float> values(bytes.size() / sizeof(float));
    std::memcpy(values.data(), bytes.data(), values.size() * sizeof(float));
    return values;
}

/// The root of the mean of squares, of the samples from one second to another.
double loudness(const std::vector<float>& values, double from, double to) {
    const auto first = static_cast<std::size_t>(from * 48000);
    const std::size_t end = std::min(values.size(), static_cast<std::size_t>(to * 48000));
    double sum = 0;
    for (std::size_t i = first; i < end; ++i) {
        sum += double(values[i]) * values[i];
    }
    return std::sqrt(sum / static_cast<double>(end - first));
}

/// A video with a tone of one frequency in its first half and another in its second.
void make_video(const TempDir& folder, const std::string& name, const Words& codecs, const std::string& seconds = "2") {
    ffmpeg(folder.path(), test_picture("96x64", seconds) +
                              Words{"-f", "lavfi", "-i", "aevalsrc='0.3*sin(2*PI*t*if(lt(t,1),440,880))':s=44100:d=" + seconds} +
                              x264 + Words{"-pix_fmt", "yuv420p"} + codecs + Words{name});
}

} // namespace

TEST_CASE("video: sound that the container cannot hold is encoded again, and that is said") {
    const TempDir folder;
    make_video(folder, "pcm.mkv", {"-c:a", "pcm_s16le"}); // which FFmpeg 7 would put into MP4
    make_video(folder, "aac.mp4", {"-c:a", "aac"});
    const auto converts = [&](const std::string& in, const std::string& out, const std::string& codec) {
        INFO(in << " " << out);
        const ProgramResult result = run_glproc(folder.path(), {"video", in, out});
        CHECK(result.status == 0);
        CHECK(result.err.find(fmt::format("it is encoded again as {}", codec)) != std::string::npos);
        CHECK(sound_of(folder, out).starts_with(codec + "\n"));
        const std::vector<float> before = samples(folder, in);
        const std::vector<float> after = samples(folder, out);
        CHECK(std::abs(static_cast<double>(before.size()) - static_cast<double>(after.size())) < 4800);
        CHECK(std::abs(loudness(after, 0.2, 1.8) / loudness(before, 0.2, 1.8) - 1) < 0.05);
    };
    converts("pcm.mkv", "out.mp4", "aac");
    converts("pcm.mkv", "out.ts", "aac");
    converts("aac.mp4", "out.webm", "opus");
    const ProgramResult copied = run_video(folder, Words{"pcm.mkv", "no.mp4", "--sound", "copy"});
    CHECK(copied.status == 2);
    CHECK(copied.err.starts_with("glproc: error: no.mp4: mp4 holds no sound of pcm_s16le\n"));
    must_work(folder, Words{"aac.mp4", "copy.mkv"});
    const auto packets = [&](const std::string& video) {
        return ffmpeg(folder.path(), {"-i", video, "-map", "0:a", "-c", "copy", "-f", "data", "-"});
    };
    CHECK((packets("copy.mkv") == packets("aac.mp4")));
    must_work(folder, Words{"aac.mp4", "silent.mp4", "--sound", "none"});
    CHECK(sound_of(folder, "silent.mp4").empty());
    must_work(folder, Words{"pcm.mkv", "flac.mkv", "--sound", "flac"});
    CHECK(sound_of(folder, "flac.mkv") == "flac\n");
    CHECK((samples(folder, "flac.mkv") == samples(folder, "pcm.mkv")));
    CHECK(run_video(folder, Words{"aac.mp4", "no.webm", "--sound", "mp3"}).err.starts_with("glproc: error: no.webm: webm holds no sound of mp3"));
}

TEST_CASE("video: a cut through encoded sound is one of samples") {
    const TempDir folder;
    make_video(folder, "in.mkv", {"-c:a", "pcm_s16le"});
    must_work(folder, Words{"in.mkv", "part.mkv", "--from", "0.48s", "--to", "1.48s", "--sound", "flac"});
    const std::vector<float> whole = samples(folder, "in.mkv");
    const std::vector<float> part = samples(folder, "part.mkv");
    CHECK(std::abs(static_cast<double>(part.size()) - 48000) < 60); // Matroska counts milliseconds
    // The tone changes at 1 s: 0.52 s into the part.
    const auto crossings = [&](double from, double to) {
        int count = 0;
        for (auto i = static_cast<std::size_t>(from * 48000); i < static_cast<std::size_t>(to * 48000); ++i) {
            count += (part[i] < 0) != (part[i + 1] < 0) ? 1 : 0;
        }
        return count / (to - from) / 2;
    };
    CHECK(std::abs(crossings(0.02, 0.51) - 440) < 5);
    CHECK(std::abs(crossings(0.53, 0.98) - 880) < 5);
}

TEST_CASE("video: volume and fades of sound") {
    const TempDir folder;
    make_video(folder, "in.mkv", {"-c:a", "pcm_s16le"});
    const double before = loudness(samples(folder, "in.mkv"), 0.5, 1.5);
    for (const auto& [gain, factor] : {std::pair{"50%", 0.5}, {"0.25", 0.25}, {"-6dB", 0.501187}, {"2", 2.0}}) {
        INFO(gain);
        must_work(folder, Words{"in.mkv", "out.mkv", "--volume", gain});
        CHECK(sound_of(folder, "out.mkv") == "pcm_s16le\n");
        CHECK(std::abs(loudness(samples(folder, "out.mkv"), 0.5, 1.5) / before - factor) < 0.01 * factor);
    }
    must_work(folder, Words{"in.mkv", "out.mkv", "--fade-in", "0.5s", "--fade-out", "0.5s"});
    ffmpeg(folder.path(), {"-i", "in.mkv", "-map", "0", "-c:v", "copy", "-c:a", "pcm_s16le", "-af",
                           "afade=t=in:d=0.5,afade=t=out:st=1.5:d=0.5", "expected.mkv"});
    const std::vector<float> ours = samples(folder, "out.mkv");
    const std::vector<float> expected = samples(folder, "expected.mkv");
    REQUIRE(std::abs(static_cast<double>(ours.size()) - static_cast<double>(expected.size())) < 100);
    double worst = 0;
    for (std::size_t i = 0; i + 200 < std::min(ours.size(), expected.size()); ++i) {
        worst = std::max(worst, std::abs(double(ours[i]) - expected[i]));
    }
    CHECK(worst < 0.002);
    CHECK(run_video(folder, Words{"in.mkv", "no.mkv", "--volume", "loud"}).status == 2);
    CHECK(run_video(folder, Words{"in.mkv", "no.mkv", "--volume", "50%", "--sound", "copy"}).status == 2);
}

TEST_CASE("video: surround and late sound stay as they are when encoded again") {
    const TempDir folder;
    ffmpeg(folder.path(), test_picture("96x64", "2") +
                              Words{"-itsoffset", "0.5", "-f", "lavfi", "-i", "aevalsrc=0.1*sin(2000*t)|0|0|0|0|0:c=5.1:d=1"} + x264 +
                              Words{"-pix_fmt", "yuv420p", "-c:a", "pcm_s16le", "in.mkv"});
    for (const std::string codec : {"aac", "opus", "ac3"}) {
        INFO(codec);
        must_work(folder, Words{"in.mkv", "out.mkv", "--sound", codec});
        CHECK(sound_of(folder, "out.mkv", "channels") == "6\n");
        const std::string first = lines_of(ffprobe(folder.path(), {"-select_streams", "a", "-show_entries", "packet=pts_time", "-of",
                                                                   "csv=p=0", "out.mkv"})).at(0);
        CHECK(std::abs(std::stod(first) - 0.5) < 0.03);
    }
}
