// glproc video --deinterlace.
#include "support/combinations.hpp"
#include "video/video_program.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <libavformat/version.h>

using namespace glproc;
using namespace glproc::test;

namespace {

void make_fields(const TempDir& folder, const std::string& format, const std::string& size, const std::string& order) {
    const std::string first = order == "tff" ? "top" : "bottom";
    ffmpeg(folder.path(), Words{"-f", "lavfi", "-i", "testsrc2=s=" + size + ":r=50:d=0.2", "-vf",
                                "noise=alls=9:allf=t,tinterlace=" +
                                    std::string(order == "tff" ? "interleave_top" : "interleave_bottom") + ",format=" + format +
                                    ",setfield=" + order,
                                "-c:v", "ffv1", "-field_order", order == "tff" ? "tt" : "bb", "in.mkv"});
}

/// The samples without the six outermost rows of the planes that FFmpeg has several results of. With more than 8 bits it mirrors
/// edges a row too early. FFmpeg 7 takes edges of the first and the last field from the frame on their other side, too.
std::string without_edges(const std::string& samples, const std::string& format, const std::string& size) {
    constexpr std::size_t edge = 6;
    const std::size_t bytes = format.ends_with("le") ? 2 : 1;
    const std::size_t width = std::stoul(size);
    const std::size_t height = std::stoul(size.substr(size.find('x') + 1));
    const std::size_t columns = format.starts_with("yuv444") ? width : (width + 1) / 2;
    const std::size_t rows = format.starts_with("yuv420") ? (height + 1) / 2 : height;
    const std::size_t frame = bytes * (width * height + 2 * columns * rows);
    std::string inside;
    for (std::size_t at = 0; at < samples.size();) {
        const bool is_alone = LIBAVFORMAT_VERSION_MAJOR >= 61 && (at < frame || at + frame >= samples.size());
        const bool is_cut = bytes > 1 || is_alone;
        for (const auto& [row, count] : {std::pair{width, height}, {columns, rows}, {columns, rows}}) {
            const std::size_t kept = is_cut ? count - std::min(2 * edge, count) : count;
            inside += samples.substr(at + (count - kept) / 2 * row * bytes, kept * row * bytes);
            at += row * count * bytes;
        }
    }
    return inside;
}

} // namespace

TEST_CASE("video: deinterlaced frames have the bits of ffmpeg's bwdif") {
    const std::vector<std::string> formats{"yuv420p", "yuv422p10le", "yuv444p"};
    const std::vector<std::string> sizes{"94x70", "32x24", "34x46", "16x10"};
    const std::vector<std::string> orders{"tff", "bff"};
    const std::vector<std::string> modes{"frame", "field"};
    for (const auto& [format, size, order, mode] : combinations(formats, sizes, orders, modes)) {
        INFO(format << " " << size << " " << order << " " << mode);
        const TempDir folder;
        make_fields(folder, format, size, order);
        ffmpeg(folder.path(), {"-i", "in.mkv", "-vf", "bwdif=mode=send_" + mode, "-c:v", "ffv1", "right.mkv"});
        must_work(folder, {"in.mkv", "out.mkv", "--codec", "ffv1", "--deinterlace", mode});
        const std::string made = raw_frames(folder.path(), "out.mkv", format);
        const std::string right = raw_frames(folder.path(), "right.mkv", format);
        const bool same = without_edges(made, format, size) == without_edges(right, format, size);
        CHECK(same);
        CHECK(made.size() == right.size());
        CHECK(frame_times(folder, "out.mkv") == frame_times(folder, "right.mkv"));
        const bool changed = made != raw_frames(folder.path(), "in.mkv", format);
        CHECK(changed);
    }
}

TEST_CASE("video: what is deinterlaced is progressive, and other operations follow") {
    const TempDir folder;
    make_fields(folder, "yuv420p", "96x64", "tff");
    must_work(folder, {"in.mkv", "out.mkv", "--codec", "ffv1", "--deinterlace", "frame", "flip", "--axis", "horizontal"});
    must_work(folder, {"in.mkv", "whole.mkv", "--codec", "ffv1", "--deinterlace", "frame"});
    must_work(folder, {"whole.mkv", "right.mkv", "--codec", "ffv1", "flip", "--axis", "horizontal"});
    CHECK(raw_frames(folder.path(), "out.mkv", "yuv420p") == raw_frames(folder.path(), "right.mkv", "yuv420p"));
    const std::string fields = ffprobe(folder.path(), {"-select_streams", "v", "-show_entries",
                                                       "frame=interlaced_frame:stream=field_order", "-of", "csv=p=0", "out.mkv"});
    CHECK(fields.find('1') == std::string::npos);
    CHECK(fields.find("tt") == std::string::npos);
    const ProgramResult one = run_video(folder, {"in.mkv", "still.png", "--frame", "2", "--deinterlace", "frame"});
    CHECK(one.status == 2);
    CHECK(one.err.starts_with("glproc: error: --deinterlace looks at the frames before and after"));
}

TEST_CASE("video: interlaced frames whose rows move have no fields any more, and a warning says how to take "
          "them apart") {
    const TempDir folder;
    ffmpeg(folder.path(), test_picture("96x64", "0.4", "50") +
                              Words{"-vf", "tinterlace=interleave_top,setfield=tff,format=yuv420p", "-c:v",
                                    "mpeg2video", "-flags", "+ilme+ildct", "-q:v", "2", "in.ts"});
    const auto order = [&](const std::string& video) {
        return ffprobe(folder.path(), {"-select_streams", "v", "-show_frames", "-read_intervals", "%+#1",
                                       "-show_entries", "frame=interlaced_frame", "-of", "csv=p=0", video});
    };
    CHECK(order("in.ts").starts_with("1"));
    const auto told = [&](const Words& words) {
        const ProgramResult result = run_glproc(folder.path(), Words{"video", "in.ts"} + words);
        CHECK(result.status == 0);
        return result.err.find("--deinterlace frame") != std::string::npos;
    };
    CHECK(told({"out.mp4", "resize", "48x32"}));
    CHECK(order("out.mp4").starts_with("0"));
    CHECK(told({"still.png", "--frame", "0", "resize", "48x32"}));
    CHECK_FALSE(told({"out.mp4", "resize", "48x64"})); // rows stay
    CHECK(order("out.mp4").starts_with("1"));
    CHECK_FALSE(told({"out.mp4", "--deinterlace", "frame", "resize", "48x32"}));
    CHECK(order("out.mp4").starts_with("0"));
    CHECK_FALSE(told({"out.mp4"}));
    CHECK(told({"out.mp4", "--codec", "h265"})); // which does not say to players what they see
}
