#include "cli/files/video_command.hpp"

#include "cli/files/file_flags.hpp"
#include "cli/pipe/pipe.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>

#include <filesystem>
#include <vector>

#include <fmt/format.h>

namespace glproc::cli {

std::string end_of_name(const std::string& path) {
    std::string end = std::filesystem::path(path).extension().string();
    std::transform(end.begin(), end.end(), end.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
    return end.empty() ? end : end.substr(1);
}

const VideoContainer* find_video_container(std::string_view end) {
    const auto found = std::find_if(video_containers.begin(), video_containers.end(),
                                    [&](const VideoContainer& one) { return one.end == end; });
    return found == video_containers.end() ? nullptr : &*found;
}

const VideoContainer* video_container_of(const std::string& path) {
    return find_video_container(end_of_name(path));
}

namespace {

/// Those that few calls need: `--help` only names them.
std::vector<Flag> in_group(const std::string& group, std::vector<Flag> flags) {
    for (Flag& flag : flags) {
        flag.group = group;
    }
    return flags;
}

std::vector<Flag> for_task(const std::string& task, std::vector<Flag> flags) {
    for (Flag& flag : flags) {
        flag.task = task;
    }
    return flags;
}

Flag repeated(Flag flag) {
    flag.repeats = true;
    return flag;
}

std::vector<Flag> video_own_flags() {
    Flag fps = with_value("fps", "N", "frames per second of OUT: 50 or 30000/1001; by default 25 for numbered images");
    fps.info.range = FieldText<double>::range(fps_limit);
    std::vector<Flag> all = for_task(
        "Frames", {with_value("frames", "A..B", "only these frames, counted from 0, or times: 10s..20s; A or B "
                                                "may be left out"),
                   with_value("from", "TIME", "start at this time: 3s, 12.5s or 1:02:03"),
                   with_value("to", "TIME", "end before this time"),
                   number("every", every_limit, "1", "only every N-th frame"),
                   with_value(one_frame_flag, "N|TIME",
                              "write one frame as an image: 250, 12.5s, 1:02:03, 50% or last")});
    for (const std::vector<Flag>& more :
         {for_task(
              "Writing OUT",
              {optional_choice<VideoCodec>("codec", "video codec; by default vp9 in webm, otherwise "
                                                  "h264, or h265 for HDR and more than 8 bits"),
               number("crf", crf_limit, "", "quality, lower is better; by default 20 for h264"),
               with_value("preset", "P", "speed preset of the encoder; by default medium for h264"), fps,
               toggle("only-video", 0, "leave out sound, subtitles and everything else"),
               toggle("no-clobber", 'n', "keep an existing output: fail instead of replacing it"),
               toggle("force", 'y', "replace OUT although glproc did not write it")}),
          in_group("Time",
                   {optional_choice<VideoFields>("deinterlace", "make whole frames of interlaced ones (bwdif)"),
                    toggle("blend", 0, "with --fps: mix the frames before and after a time; by default the one before is shown")}),
          in_group("Encoding",
                   {with_value("encoder", "NAME", "an encoder of libavcodec, such as h264_nvenc; the usual one is used if it cannot be opened"),
                    repeated(with_value("encoder-option", "NAME=VALUE",
                                        "an option of the encoder by its own name, such as tune=film; may be repeated")),
                    number("depth", video_depth_limit, "", "bits per sample of OUT; by default those of IN"),
                    optional_choice<YcbcrMatrix>("to-matrix", "colour matrix of OUT; by default that of IN"),
                    optional_choice<YcbcrRange>("to-range", "value range of OUT; by default that of IN"),
                    toggle("even", 0, "drop the last row or column where the size is odd, for codecs that need pairs"),
                    with_value("format", "F", "container, as mkv, mp4, ts or nut; needed where OUT does not end in it; null "
                                              "writes nothing")}),
          in_group("Colour",
                   {toggle("to-sdr", 0, "tone map HDR, and convert wide colours, to 8 bits of BT.709"),
                    with_value("hdr-peak", "NITS", "with --to-sdr: the brightest light of a PQ video in cd/m2; by default from its "
                                                   "metadata, else 1000"),
                    optional_choice<VideoValues>("in", "what operations work on; by default rgb, and yuv where pixels are only cropped, padded, flipped or turned")}),
          in_group("Sound",
                   {optional_choice<VideoSound>("sound", "copied by default; encoded as aac or opus where OUT "
                                                        "cannot hold it"),
                    number("sound-track", track_limit, "", "only this sound track, counted from 1; all by default"),
                    with_value("volume", "GAIN", "louder or softer: 50%, 1.5 or -6dB"),
                    with_value("fade-in", "TIME", "let the sound begin softly"),
                    with_value("fade-out", "TIME", "let the sound end softly")}),
          in_group("Reading IN",
                   {optional_choice<YcbcrMatrix>("matrix", "colour matrix of IN; by default as stored, or "
                                                           "by size"),
                    optional_choice<YcbcrRange>("range", "value range of IN; by default as stored, or "
                                                         "limited"),
                    repeated(with_value("append", "FILE", "a video that follows IN, of the same form; may be repeated")),
                    number("video-track", track_limit, "", "which video track, counted from 1; by default the best"),
                    toggle("keep-partial", 0, "keep the frames before the damage in a broken video"),
                    toggle("keep-going", 0, "go on behind damage, as players do, and say how many frames it hit")})}) {
        all.insert(all.end(), more.begin(), more.end());
    }
    return all;
}

} // namespace

Command video_command() {
    Command command{
        .name = "video",
        .summary = "process every frame of a video and keep its sound",
        .example = "in.mp4 out.mp4 blur --sigma 2 then unsharp",
        .examples = {{"Save the frame at 12.5 seconds", "clip.mp4 frame.png --frame 12.5s"},
                     {"Sharpen a video and write it as H.265",
                      "clip.mp4 out.mp4 unsharp --sigma 1 --codec h265"},
                     {"Make whole frames of interlaced ones, 50 a second",
                      "clip.mp4 out.mp4 --deinterlace frame --fps 50"}},
        .places = {{"IN", "video to read, or numbered images: frame-%04d.png; - is stdin"},
                   {"OUT", "video to write, with sound, subtitles, times and metadata of IN; or an animation "
                           "(gif, webp, apng), or numbered images, or one with --frame"}},
        .cost = {.alone = 74}, // any operation may be among its own
        .program = "glproc-video",
    };
    command.flags.get() = video_own_flags();
    for (Flag& flag : input_flags(Input::image)) {
        command.flags.get().push_back(std::move(flag));
    }
    Flag playlists =
        toggle("allow-playlists", 0, "read playlists (HLS, DASH, ffconcat) and the local files they name");
    playlists.group = command.flags.get().back().group;
    command.flags.get().push_back(std::move(playlists));
    return command;
}

bool names_video(const std::string& path) {
    static const std::array<std::string_view, 14> extensions{".mp4", ".mov", ".m4v", ".mkv", ".webm",
                                                             ".avi", ".mpg", ".ts",  ".nut", ".wmv",
                                                             ".mxf", ".flv", ".ogv", ".mts"};
    const std::size_t dot = std::min(path.rfind('.'), path.size());
    std::string extension = path.substr(dot);
    std::transform(extension.begin(), extension.end(), extension.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return std::find(extensions.begin(), extensions.end(), extension) != extensions.end();
}

std::string video_hint(const std::string& command) {
    const std::vector<Flag> flags = video_own_flags(); // one may do the same for videos
    const bool is_flag =
        std::any_of(flags.begin(), flags.end(), [&](const Flag& flag) { return flag.info.name == command; });
    return is_flag ? fmt::format("for videos: glproc video in.mp4 out.mp4 --{} more.mp4", command)
                   : fmt::format("for videos: glproc video in.mp4 out.mp4 {}", command);
}

} // namespace glproc::cli
