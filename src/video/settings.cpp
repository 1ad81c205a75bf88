#include "video/settings.hpp"

#include "cli/files/file_flags.hpp"
#include "cli/files/video_command.hpp"
#include "cli/files/input.hpp"
#include "glproc/base/error.hpp"
#include "job/budget.hpp"
#include "video/read/selection.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <sstream>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace glproc::video {

namespace {

/// By name, or by what other tools call it.
std::optional<cli::VideoCodec> codec_of(const cli::Arguments& arguments) {
    constexpr std::array<std::pair<std::string_view, std::string_view>, 6> synonyms{{{"hevc", "h265"},
                                                                                     {"x265", "h265"},
                                                                                     {"libx265", "h265"},
                                                                                     {"avc", "h264"},
                                                                                     {"x264", "h264"},
                                                                                     {"libx264", "h264"}}};
    if (!arguments.has("codec")) {
        return std::nullopt;
    }
    std::string name = arguments.value("codec");
    for (const auto& [said, meant] : synonyms) {
        name = name == said ? meant : name;
    }
    return FieldText<cli::VideoCodec>::parse({"codec", "", {}}, name);
}

/// The values of a flag that may be repeated.
std::vector<std::string> values_of(const cli::Arguments& arguments, const std::string& flag) {
    std::vector<std::string> values;
    std::istringstream lines(arguments.has(flag) ? arguments.value(flag) : "");
    for (std::string line; std::getline(lines, line);) {
        values.push_back(line);
    }
    return values;
}

std::vector<EncoderOption> encoder_options(const cli::Arguments& arguments) {
    std::vector<EncoderOption> options;
    for (const std::string& line : values_of(arguments, "encoder-option")) {
        const std::size_t equals = line.find('=');
        if (equals == 0 || equals == std::string::npos || equals + 1 == line.size()) {
            throw Error(ErrorCode::usage, fmt::format("--encoder-option {} is not NAME=VALUE", line),
                        "as --encoder-option tune=film");
        }
        options.push_back({line.substr(0, equals), line.substr(equals + 1)});
    }
    return options;
}

/// "50%", "0.5", "-6dB"
double gain_of(std::string_view text) {
    const bool is_decibel = text.ends_with("dB") || text.ends_with("db");
    const bool is_percent = text.ends_with('%');
    const std::string number(text.substr(0, text.size() - (is_decibel ? 2 : is_percent ? 1 : 0)));
    constexpr double loudest_db = 60;
    constexpr double loudest = 1000;
    if (is_decibel) {
        constexpr double decibels = 20; // for a factor of ten
        return std::pow(10, parse_number({"volume", "", {-200, loudest_db}}, number) / decibels);
    }
    const double unit = is_percent ? 0.01 : 1;
    return unit * parse_number({"volume", "", {0, loudest / unit}}, number);
}

SoundSettings sound_settings(const cli::Arguments& arguments) {
    SoundSettings sound;
    sound.codec = given<cli::VideoSound>(arguments, "sound");
    sound.gain = arguments.has("volume") ? gain_of(arguments.value("volume")) : 1;
    sound.fade_in = arguments.has("fade-in") ? read_time(arguments, "fade-in") : 0;
    sound.fade_out = arguments.has("fade-out") ? read_time(arguments, "fade-out") : 0;
    sound.track = given<int>(arguments, "sound-track", cli::track_limit).value_or(0);
    const bool is_copy = sound.codec == cli::VideoSound::copy || sound.codec == cli::VideoSound::none;
    if (is_copy && sound.changes()) {
        throw Error(ErrorCode::usage,
                    fmt::format("--sound {} has no effect with --volume or fades", name_of(*sound.codec)),
                    "leave one of them out");
    }
    return sound;
}

} // namespace

void refuse_untrusted(const cli::Arguments& arguments) {
    if (cli::read_budget(arguments).untrusted) {
        throw Error(ErrorCode::input, "videos are not read from untrusted files",
                    "GLPROC_POLICY is untrusted, and video decoders do not run confined");
    }
}

CodeOverride code_override(const cli::Arguments& arguments) {
    return {given<YcbcrMatrix>(arguments, "matrix"), given<YcbcrRange>(arguments, "range")};
}

VideoOptions video_options(const cli::Arguments& arguments) {
    refuse_untrusted(arguments);
    VideoOptions options{.code = code_override(arguments), .keep_packets = true};
    options.max_pixels = cli::decode_options(arguments, nullptr).max_pixels;
    options.max_frames = cli::max_frames(arguments);
    options.allow_playlists = arguments.has("allow-playlists");
    options.keep_going = arguments.has("keep-going");
    options.track = given<int>(arguments, "video-track", cli::track_limit);
    return options;
}

std::optional<ToSdr> sdr_conversion(const cli::Arguments& arguments, const VideoInfo& info,
                                    const HdrMetadata& hdr) {
    const bool is_pq = info.transfer == AVCOL_TRC_SMPTE2084;
    if (arguments.has("hdr-peak") && !(arguments.has("to-sdr") && is_pq)) {
        throw Error(ErrorCode::usage, "--hdr-peak has no effect without --to-sdr on a PQ video",
                    "HLG videos have a peak of 1000 cd/m2");
    }
    if (!arguments.has("to-sdr")) {
        return std::nullopt;
    }
    std::optional<ToSdr> made = sdr_look_of(info, hdr);
    if (made && arguments.has("hdr-peak")) {
        made->peak = parse_number({"hdr-peak", "cd/m2", hdr_peak_limit}, arguments.value("hdr-peak"));
    }
    return made;
}

std::optional<double> frames_per_second(const cli::Arguments& arguments) {
    if (!arguments.has("fps")) {
        return std::nullopt;
    }
    const std::string& text = arguments.value("fps");
    const std::size_t slash = text.find('/');
    if (slash == std::string::npos) {
        return parse_number({"fps", "", cli::fps_limit}, text);
    }
    constexpr Limit parts{1, 1e6};
    const double rate = parse_number({"fps", "", parts}, text.substr(0, slash)) /
                        parse_number({"fps", "", parts}, text.substr(slash + 1));
    check_limit("fps", rate, cli::fps_limit);
    return rate;
}

EncodeSettings encode_settings(const cli::Arguments& arguments) {
    EncodeSettings settings;
    settings.codec = codec_of(arguments);
    settings.crf = given<int>(arguments, "crf", cli::crf_limit);
    settings.preset = arguments.has("preset") ? arguments.value("preset") : "";
    settings.bits = given<int>(arguments, "depth", cli::video_depth_limit);
    settings.only_video = arguments.has("only-video");
    settings.options = encoder_options(arguments);
    settings.encoder = arguments.has("encoder") ? arguments.value("encoder") : "";
    if (!settings.encoder.empty()) {
        const cli::VideoCodec of_encoder = codec_of_encoder(settings.encoder);
        if (settings.codec && *settings.codec != of_encoder) {
            throw Error(ErrorCode::usage,
                        fmt::format("--encoder {} is for {}, not for {}", settings.encoder,
                                    name_of(of_encoder), name_of(*settings.codec)),
                        "leave --codec out");
        }
        settings.codec = of_encoder;
    }
    settings.sound = sound_settings(arguments);
    return settings;
}

std::vector<std::string> appended_videos(const cli::Arguments& arguments, const Selection& selection) {
    std::vector<std::string> videos = values_of(arguments, "append");
    if (!videos.empty() && (!selection.is_all() || arguments.has("fade-out"))) {
        throw Error(ErrorCode::usage, "--append joins whole videos: parts, stills and --fade-out need one",
                    "join them first, then take a part of the result");
    }
    return videos;
}

std::string container_of(const std::string& out, const cli::Arguments& arguments, const VideoInfo* from) {
    if (arguments.has("format")) {
        const std::string& end = arguments.value("format");
        const auto dot = end.starts_with('.') ? 1 : 0;
        const bool is_matroska = end == "matroska";
        return is_matroska ? "mkv" : end == "mpegts" ? "ts" : end.substr(dot);
    }
    if (out != "-") {
        return cli::end_of_name(out);
    }
    constexpr std::array<std::pair<std::string_view, std::string_view>, 4> demuxers{
        {{"matroska", "mkv"}, {"mov", "mp4"}, {"mpegts", "ts"}, {"nut", "nut"}}};
    for (const auto& [demuxer, end] : demuxers) {
        if (from != nullptr && from->container.starts_with(demuxer)) {
            return std::string(end);
        }
    }
    throw Error(ErrorCode::usage, "stdout needs --format, as no name says the container",
                "--format mkv, for example");
}

void check_container(const std::string& end, const std::string& path) {
    if (cli::find_video_container(end) == nullptr) {
        std::vector<std::string_view> known;
        std::transform(cli::video_containers.begin(), cli::video_containers.end(), std::back_inserter(known),
                       [](const cli::VideoContainer& one) { return one.end; });
        throw Error(ErrorCode::usage, fmt::format("{}: unknown video format '.{}' (known: {})", path, end,
                                                  fmt::join(known, ", ")));
    }
}

bool video_holds_alpha(const std::string& out, const cli::Arguments& arguments,
                       const EncodeSettings& settings) {
    if (out == "-" && !arguments.has("format")) {
        return false;
    }
    const cli::VideoContainer* container = cli::find_video_container(container_of(out, arguments, nullptr));
    return holds_alpha(settings.codec.value_or(container->codec), std::string(container->end));
}

} // namespace glproc::video
