#include "video/read/video_file.hpp"

#include "video/fail.hpp"

#include "glproc/files/codec.hpp"
#include "glproc/files/file.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <limits>
#include <optional>
#include <span>
#include <string_view>
#include <system_error>
#include <vector>

#include <fmt/format.h>

namespace glproc::video {

namespace {

/// Its samples would go to whoever opens it first, and videos are opened more than once. A pipe that a shell
/// made and opened, <(…), has no name of its own.
void refuse_fifo(const std::string& path) {
    std::error_code missing;
    const bool is_fifo = std::filesystem::is_fifo(path, missing);
    if (is_fifo && !std::filesystem::canonical(path, missing).empty()) {
        fail_input(path, "a pipe, not a file",
                   fmt::format("as stdin it can be read: glproc video - OUT < {}", path));
    }
}

/// A file that is there, and is no picture, which libavformat would take for a video of one frame.
void check_file(const std::string& path) {
    constexpr std::size_t enough = 64;
    refuse_fifo(path);
    const OpenFile file{std::filesystem::path(path)};
    std::array<std::byte, enough> start{};
    const std::size_t got = file.regular() ? file.read_at(0, start) : enough;
    if (got == 0) {
        fail_input(path, "the file is empty");
    }
    const std::optional<Format> format = file.regular() ? sniff(std::span(start).first(got)) : std::nullopt;
    if (format && *format != Format::gif) {
        fail_input(path, "an image, not a video", "for images: glproc pipe");
    }
}

[[noreturn]] void fail_open(const std::string& path, int status, const std::string& said) {
    fail_input(path, status == AVERROR_INVALIDDATA
                         ? fmt::format("not a video, or a broken one{}", said.empty() ? "" : ": " + said)
                         : av_error_text(status));
}

/// Formats that have other files read. This list is for the message: what is not in it may not open any
/// either.
bool is_playlist(std::string_view format) {
    constexpr std::array<std::string_view, 9> playlists{
        "hls", "applehttp", "concat", "concatf", "dash", "imf", "sdp", "vapoursynth", "webm_dash_manifest"};
    return std::any_of(playlists.begin(), playlists.end(), [&](std::string_view playlist) {
        return format == playlist || format.starts_with(std::string(playlist) + ",");
    });
}

const AVInputFormat* find_format(const std::string& path, const std::string& url, AVIOContext* file,
                                 bool allow_playlists) {
    const AVInputFormat* format = nullptr;
    const int status = av_probe_input_buffer2(file, &format, url.c_str(), nullptr, 0, 0);
    if (status < 0) {
        fail_open(path, status, "");
    }
    const std::string_view name = format->name;
    if (name == "tty" || name == "image2" || name.ends_with("_pipe")) {
        fail_input(path, "no video");
    }
    if (!allow_playlists && is_playlist(name)) {
        fail_input(path, "a playlist, which refers to other files",
                   "glproc video --allow-playlists reads it");
    }
    return format;
}

int refuse_to_open(AVFormatContext* /*context*/, AVIOContext** /*file*/, const char* /*url*/, int /*flags*/,
                   AVDictionary** /*options*/) {
    return AVERROR(EACCES);
}

AvInput open_device(const std::string& path, const std::string& device) {
    const AVInputFormat* format = av_find_input_format(device.c_str());
    if (format == nullptr) {
        fail_input(path, fmt::format("there is no support for {} here", device));
    }
    AVFormatContext* opened = nullptr;
    const int status = avformat_open_input(&opened, path.c_str(), format, nullptr);
    if (status < 0) {
        fail_open(path, status, "");
    }
    return AvInput(opened);
}

} // namespace

AvInput open_video_file(const std::string& path, const VideoOptions& options) {
    quiet_av();
    if (!options.device.empty()) {
        return open_device(path, options.device);
    }
    const bool is_stdin = path == "-";
    if (!is_stdin) {
        check_file(path);
    }
    const std::string url = is_stdin ? "pipe:0" : "file:" + path;
    AVIOContext* opened_file = nullptr;
    int status = avio_open(&opened_file, url.c_str(), AVIO_FLAG_READ);
    AvIo file(opened_file);
    if (status < 0) {
        fail_open(path, status, "");
    }
    const AVInputFormat* format = find_format(path, url, file.get(), options.allow_playlists);
    AVFormatContext* opened = check_memory(avformat_alloc_context());
    opened->pb = file.get();
    AvOptions flags;
    flags.set("protocol_whitelist", options.allow_playlists ? "file" : "none"); // never the net
    if (!options.allow_playlists) {
        opened->io_open = refuse_to_open;
    }
    const void* said_about = opened; // it is gone after a failure
    status = avformat_open_input(&opened, url.c_str(), format, flags.get());
    const std::string said = take_av_message(said_about);
    if (status < 0) {
        fail_open(path, status, said);
    }
    static_cast<void>(file.release()); // closed with the input
    return AvInput(opened);
}

void find_streams(AVFormatContext& input, std::uint64_t max_pixels, const std::string& name) {
    std::vector<AVDictionary*> options(input.nb_streams);
    for (AVDictionary*& one : options) {
        check_memory(av_dict_set_int(&one, "max_pixels", av_limit(max_pixels), 0));
    }
    const int status = avformat_find_stream_info(&input, options.data());
    for (AVDictionary*& one : options) {
        av_dict_free(&one);
    }
    if (status < 0) {
        fail_input(name, "not a video, or a broken one: " + av_error_text(status));
    }
}

void check_video_size(int width, int height, std::uint64_t max_pixels, const std::string& name) {
    const std::uint64_t pixels =
        static_cast<std::uint64_t>(std::max(width, 0)) * static_cast<std::uint64_t>(std::max(height, 0));
    if (pixels > max_pixels) {
        fail_input(name, fmt::format("{}x{} pixels are more than the limit of {}", width, height, max_pixels),
                   fmt::format("if the file is to be trusted: --max-pixels {}", pixels));
    }
}

std::int64_t av_limit(std::uint64_t max_pixels) {
    constexpr std::uint64_t most = std::numeric_limits<int>::max();
    constexpr std::uint64_t padding = std::uint64_t{1} << 20U;
    return static_cast<std::int64_t>(max_pixels > (most - padding) / 2 ? most : 2 * max_pixels + padding);
}

} // namespace glproc::video
