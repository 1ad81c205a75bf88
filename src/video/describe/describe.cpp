#include "video/commands.hpp"

#include "cli/json.hpp"
#include "cli/terminal/printable.hpp"
#include "cli/terminal/terminal.hpp"
#include "glproc/base/counted.hpp"
#include "glproc/base/error.hpp"
#include "video/read/hdr.hpp"
#include "video/read/video_file.hpp"
#include "video/settings.hpp"

#include <array>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <system_error>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

extern "C" {
#include <libavutil/channel_layout.h>
#include <libavutil/pixdesc.h>
}

namespace glproc::video {

namespace {

using cli::Json;

std::string text_of(const char* text) {
    return text == nullptr ? "" : text;
}

/// "0:02.00", "1:02:03.50"
std::string clock_text(double seconds) {
    constexpr std::int64_t sixty = 60;
    constexpr std::int64_t cents = 100;
    const std::int64_t all = std::llround(seconds * cents);
    const std::int64_t minutes = all / cents / sixty;
    const std::string end = fmt::format("{:02}.{:02}", all / cents % sixty, all % cents);
    return minutes < sixty ? fmt::format("{}:{}", minutes, end)
                           : fmt::format("{}:{:02}:{}", minutes / sixty, minutes % sixty, end);
}

/// What the libraries call a value, nothing where it is not said.
std::string said(const char* name) {
    const std::string text = text_of(name);
    return text == "unknown" || text == "unspecified" ? "" : text;
}

struct Facts {
    std::string name;
    AvInput input;
    const AVStream* video = nullptr;
    std::optional<double> seconds;
    std::optional<std::int64_t> frames;
    bool counted = false; ///< the frames, and not reckoned from the length
    std::optional<std::uint64_t> bytes;
};

Facts facts_of(const std::string& path) {
    const VideoOptions options;
    Facts facts;
    facts.name = path;
    facts.input = open_video_file(path, options);
    find_streams(*facts.input, options.max_pixels, path);
    const int best = av_find_best_stream(facts.input.get(), AVMEDIA_TYPE_VIDEO, -1, -1, nullptr, 0);
    if (best < 0) {
        throw Error(ErrorCode::input, path + ": not a video: it has no video stream");
    }
    const AVStream& stream = *facts.input->streams[best];
    facts.video = &stream;
    if (facts.input->duration > 0) {
        facts.seconds = static_cast<double>(facts.input->duration) / AV_TIME_BASE;
    }
    const double rate = stream.avg_frame_rate.num > 0 ? av_q2d(stream.avg_frame_rate) : 0;
    facts.frames = frames_shown(*facts.input, stream);
    facts.counted = facts.frames.has_value();
    if (!facts.frames && facts.seconds && rate > 0) {
        facts.frames = std::llround(*facts.seconds * rate);
    }
    std::error_code unknown;
    const std::uintmax_t size = std::filesystem::file_size(path, unknown);
    facts.bytes = unknown ? std::nullopt : std::optional<std::uint64_t>(size);
    return facts;
}

/// "h264 (High)"
std::string codec_text(const AVCodecParameters& codec) {
    const char* profile = avcodec_profile_name(codec.codec_id, codec.profile);
    return profile == nullptr ? avcodec_get_name(codec.codec_id)
                              : fmt::format("{} ({})", avcodec_get_name(codec.codec_id), profile);
}

std::vector<std::string> colours_of(const AVCodecParameters& codec) {
    std::vector<std::string> words;
    for (const std::string& word :
         {said(av_color_space_name(codec.color_space)), said(av_color_primaries_name(codec.color_primaries)),
          said(av_color_transfer_name(codec.color_trc))}) {
        if (!word.empty() && (words.empty() || words.back() != word)) {
            words.push_back(word);
        }
    }
    const std::string range = said(av_color_range_name(codec.color_range));
    if (!range.empty()) {
        words.push_back(range == "pc" ? "full range" : "limited range");
    }
    return words;
}

std::string sound_text(const AVCodecParameters& codec) {
    std::array<char, 64> layout{};
    const bool is_named = codec.ch_layout.order != AV_CHANNEL_ORDER_UNSPEC &&
                          av_channel_layout_describe(&codec.ch_layout, layout.data(), layout.size()) > 0;
    return fmt::format("{}, {} Hz, {}", codec_text(codec), codec.sample_rate,
                       is_named ? layout.data() : counted(codec.ch_layout.nb_channels, "channel"));
}

std::string track_text(const AVStream& stream) {
    const AVCodecParameters& codec = *stream.codecpar;
    std::string text = codec.codec_type == AVMEDIA_TYPE_AUDIO ? sound_text(codec)
                       : codec.codec_type == AVMEDIA_TYPE_VIDEO
                           ? fmt::format("{}, {}x{}", codec_text(codec), codec.width, codec.height)
                           : avcodec_get_name(codec.codec_id);
    for (const char* key : {"language", "title"}) {
        const std::string value = value_of(stream.metadata, key);
        text += value.empty() || value == "und" ? "" : ", " + value;
    }
    return text;
}

AVRational aspect_of(const AVStream& stream) {
    return stream.sample_aspect_ratio.num > 0 ? stream.sample_aspect_ratio
                                              : stream.codecpar->sample_aspect_ratio;
}

bool is_square(AVRational aspect) {
    return aspect.num <= 0 || aspect.num == aspect.den;
}

std::string pixel_format_of(const AVStream& stream) {
    return text_of(av_get_pix_fmt_name(static_cast<AVPixelFormat>(stream.codecpar->format)));
}

std::string text_of(const Facts& facts) {
    const AVStream& stream = *facts.video;
    const AVCodecParameters& codec = *stream.codecpar;
    std::string text = fmt::format("{}: {}, {}x{}", cli::printable_name(facts.name),
                                   facts.input->iformat->long_name, codec.width, codec.height);
    text += facts.seconds ? ", " + clock_text(*facts.seconds) : "";
    text += "\n";
    const auto line = [&](std::string_view what, const std::string& value) {
        text += fmt::format("  {:<12} {}\n", what, cli::printable_name(value));
    };
    if (facts.frames) {
        line("frames", fmt::format("{}{}", facts.counted ? "" : "about ", *facts.frames));
    }
    if (stream.avg_frame_rate.num > 0) {
        line("rate", fmt::format("{:.6g} frames per second", av_q2d(stream.avg_frame_rate)));
    }
    line("codec", codec_text(codec));
    line("stored as", pixel_format_of(stream));
    if (const std::vector<std::string> colours = colours_of(codec); !colours.empty()) {
        line("colours", fmt::format("{}", fmt::join(colours, ", ")));
    }
    if (const AVRational aspect = aspect_of(stream); !is_square(aspect)) {
        line("pixels", fmt::format("{}:{}", aspect.num, aspect.den));
    }
    if (const Turn turn = turn_of(stream); !turn.is_upright()) {
        line("orientation", fmt::format("to be rotated by {} degrees{}", turn.degrees,
                                        turn.mirrored ? ", then mirrored" : ""));
    }
    const HdrMetadata hdr = hdr_metadata_of(stream, nullptr);
    if (hdr.light) {
        line("light", fmt::format("at most {} cd/m2, {} on average", hdr.light->MaxCLL, hdr.light->MaxFALL));
    }
    for (unsigned i = 0; i < facts.input->nb_streams; ++i) {
        const AVStream& track = *facts.input->streams[i];
        if (&track != facts.video) {
            line(kind_of(track), track_text(track));
        }
    }
    if (facts.input->nb_chapters > 0) {
        line("chapters", fmt::format("{}", facts.input->nb_chapters));
    }
    for (const char* key : {"title", "creation_time"}) {
        if (const std::string value = value_of(facts.input->metadata, key); !value.empty()) {
            line(key == std::string_view("title") ? key : "date", value);
        }
    }
    return text;
}

Json text_json(const std::string& text) {
    return text.empty() ? Json() : Json(text);
}

Json track_json(const AVStream& stream) {
    const AVCodecParameters& codec = *stream.codecpar;
    Json track = Json::object({{"kind", kind_of(stream)}, {"codec", avcodec_get_name(codec.codec_id)}});
    if (codec.codec_type == AVMEDIA_TYPE_AUDIO) {
        track.add("rate", codec.sample_rate);
        track.add("channels", codec.ch_layout.nb_channels);
    }
    track.add("language", text_json(value_of(stream.metadata, "language")));
    return track;
}

Json json_of(const Facts& facts) {
    const AVStream& stream = *facts.video;
    const AVCodecParameters& codec = *stream.codecpar;
    const AVRational aspect = aspect_of(stream);
    Json::List tracks;
    for (unsigned i = 0; i < facts.input->nb_streams; ++i) {
        if (facts.input->streams[i] != facts.video) {
            tracks.push_back(track_json(*facts.input->streams[i]));
        }
    }
    return Json::object(
        {{"schema", "glproc.film/1"},
         {"input", facts.name},
         {"format", facts.input->iformat->name},
         {"width", codec.width},
         {"height", codec.height},
         {"seconds", facts.seconds ? cli::json_number(*facts.seconds) : Json()},
         {"frames", facts.frames ? Json(*facts.frames) : Json()},
         {"frames_counted", facts.counted},
         {"rate", stream.avg_frame_rate.num > 0 ? cli::json_number(av_q2d(stream.avg_frame_rate)) : Json()},
         {"codec", avcodec_get_name(codec.codec_id)},
         {"stored_as", text_json(pixel_format_of(stream))},
         {"matrix", text_json(said(av_color_space_name(codec.color_space)))},
         {"primaries", text_json(said(av_color_primaries_name(codec.color_primaries)))},
         {"transfer", text_json(said(av_color_transfer_name(codec.color_trc)))},
         {"range", text_json(said(av_color_range_name(codec.color_range)))},
         {"pixel_aspect", is_square(aspect) ? cli::json_number(1) : cli::json_number(av_q2d(aspect))},
         {"rotation", turn_of(stream).degrees},
         {"chapters", facts.input->nb_chapters},
         {"tracks", std::move(tracks)},
         {"size", facts.bytes ? Json(*facts.bytes) : Json()}});
}

} // namespace

int describe_videos(const cli::Arguments& arguments, const cli::Settings& /*settings*/) {
    refuse_untrusted(arguments);
    int status = 0;
    for (const std::string& path : arguments.places) {
        try {
            const Facts facts = facts_of(path);
            cli::print_product(arguments.has("json") ? cli::json_line(json_of(facts)) : text_of(facts));
        } catch (const Error& error) {
            if (error.code() == ErrorCode::output) {
                throw;
            }
            cli::print_error(error.what(), error.hint());
            status = status == 0 ? static_cast<int>(error.code()) : status;
        }
    }
    return status;
}

} // namespace glproc::video
