// Which encoder of libavcodec a codec has, and how it is told what people ask for.
#include "video/write/encoder.hpp"

#include "cli/words/unknown.hpp"
#include "glproc/base/error.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

extern "C" {
#include <libavutil/opt.h>
#include <libavutil/pixdesc.h>
}

namespace glproc::video {

namespace {

using cli::VideoCodec;

const std::vector<std::string> preset_names{"ultrafast", "superfast", "veryfast", "faster",   "fast",
                                            "medium",    "slow",      "slower",   "veryslow", "placebo"};

const std::array rows{
    EncoderRow{VideoCodec::h264, AV_CODEC_ID_H264, "libx264", 20, "crf", "preset", "medium", 0},
    EncoderRow{VideoCodec::h265, AV_CODEC_ID_HEVC, "libx265", 24, "crf", "preset", "medium", 0},
    EncoderRow{VideoCodec::vp9, AV_CODEC_ID_VP9, "libvpx-vp9", 31, "crf", "cpu-used", "3", 9},
    EncoderRow{VideoCodec::av1, AV_CODEC_ID_AV1, "libsvtav1", 32, "crf", "preset", "8", 14},
    EncoderRow{VideoCodec::ffv1, AV_CODEC_ID_FFV1, "ffv1", -1, ""},
    EncoderRow{VideoCodec::prores, AV_CODEC_ID_PRORES, "prores_ks", -1, ""},
    EncoderRow{VideoCodec::qtrle, AV_CODEC_ID_QTRLE, "qtrle", -1, ""}};

/// Those that other builds of libavcodec may have.
std::optional<VideoCodec> codec_of_hardware(std::string_view name) {
    constexpr std::array<std::string_view, 7> devices{"_nvenc",        "_qsv",     "_vaapi", "_amf",
                                                      "_videotoolbox", "_v4l2m2m", "_mf"};
    constexpr std::array<std::pair<std::string_view, VideoCodec>, 4> begins{{{"h264", VideoCodec::h264},
                                                                            {"hevc", VideoCodec::h265},
                                                                            {"vp9", VideoCodec::vp9},
                                                                            {"av1", VideoCodec::av1}}};
    const bool is_known = std::any_of(devices.begin(), devices.end(),
                                      [&](std::string_view end) { return name.ends_with(end); });
    for (const auto& [begin, codec] : begins) {
        if (is_known && name.starts_with(begin)) {
            return codec;
        }
    }
    return std::nullopt;
}

std::optional<VideoCodec> codec_of(const AVCodec& encoder) {
    const auto found = std::ranges::find(rows, encoder.id, &EncoderRow::id);
    return found == rows.end() ? std::nullopt : std::optional(found->codec);
}

std::vector<std::string> encoder_names() {
    std::vector<std::string> names;
    void* at = nullptr;
    while (const AVCodec* one = av_codec_iterate(&at)) {
        if (av_codec_is_encoder(one) != 0 && codec_of(*one)) {
            names.emplace_back(one->name);
        }
    }
    return names;
}

bool has_option(const AVCodec& encoder, const char* name) {
    const AVClass* of = encoder.priv_class; // in place of an object, which would begin with it
    return of != nullptr &&
           av_opt_find(static_cast<void*>(&of), name, nullptr, 0, AV_OPT_SEARCH_FAKE_OBJ) != nullptr;
}

} // namespace

VideoCodec codec_of_encoder(const std::string& name) {
    const AVCodec* encoder = avcodec_find_encoder_by_name(name.c_str());
    const std::optional<VideoCodec> codec = encoder != nullptr ? codec_of(*encoder) : codec_of_hardware(name);
    if (codec) {
        return *codec;
    }
    throw Error(
        ErrorCode::usage,
        encoder == nullptr
            ? fmt::format("unknown encoder '{}'{}", name, cli::suggestion(name, "", encoder_names()))
            : fmt::format("--encoder {} is for none of the codecs that videos are written in", name),
        "ffmpeg -encoders lists them: those of H.264, H.265, VP9, AV1, FFV1, ProRes and qtrle can be taken");
}

AVCodecID id_of(VideoCodec codec) {
    return usual_encoder(codec).id;
}

const EncoderRow& usual_encoder(VideoCodec codec) {
    return *std::ranges::find(rows, codec, &EncoderRow::codec);
}

EncoderRow named_encoder(const AVCodec& encoder, VideoCodec codec) {
    if (usual_encoder(codec).encoder == encoder.name) {
        return usual_encoder(codec);
    }
    EncoderRow row{.codec = codec, .id = encoder.id, .encoder = encoder.name, .named = true};
    const bool is_qsv = row.encoder.ends_with("_qsv");
    row.quality = has_option(encoder, "crf")  ? "crf"
                  : has_option(encoder, "cq") ? "cq"
                  : is_qsv                    ? "global_quality"
                                              : "";
    row.crf = row.quality.empty() ? -1 : usual_encoder(codec).crf;
    row.preset = has_option(encoder, "preset") ? "preset" : has_option(encoder, "cpu-used") ? "cpu-used" : "";
    return row;
}

bool takes_device_frames_only(const AVCodec& encoder) {
    const std::vector<AVPixelFormat> formats = pixel_formats_of(encoder);
    return !formats.empty() && std::all_of(formats.begin(), formats.end(), [](AVPixelFormat one) {
        const AVPixFmtDescriptor* format = av_pix_fmt_desc_get(one);
        return format != nullptr && (format->flags & AV_PIX_FMT_FLAG_HWACCEL) != 0;
    });
}

void check_preset(const EncoderRow& row, const std::string& preset) {
    if (preset.empty()) {
        return;
    }
    if (row.preset.empty()) {
        throw Error(ErrorCode::usage, fmt::format("--preset has no effect on {}",
                                                  row.named ? row.encoder : name_of(row.codec)));
    }
    if (row.named) {
        return; // the encoder knows its own
    }
    if (row.presets > 0) {
        parse_integer({"preset", "", {0, static_cast<double>(row.presets - 1)}}, preset);
    } else {
        static_cast<void>(parse_choice("preset", preset, preset_names));
    }
}

} // namespace glproc::video
