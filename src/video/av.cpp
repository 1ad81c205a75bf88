#include "video/av.hpp"

#include "glproc/base/error.hpp"
#include "video/read/damage.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <cstdarg>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <map>
#include <mutex>
#include <string_view>

extern "C" {
#include <libavutil/log.h>
}

namespace glproc::video {

namespace {

struct Messages {
    std::mutex mutex;
    std::map<const void*, std::string> last;
};

Messages& messages() {
    static Messages all;
    return all;
}

std::string tidy(std::string text) {
    while (!text.empty() &&
           (std::isspace(static_cast<unsigned char>(text.back())) != 0 || text.back() == '.')) {
        text.pop_back();
    }
    if (text.size() > 1 && std::islower(static_cast<unsigned char>(text[1])) != 0) {
        text[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(text[0])));
    }
    return text;
}

/// What decoders with motion compensation say of a frame whose parts they make up, and H.264's of fields.
bool tells_damage(std::string_view format) {
    return format.starts_with("concealing ") || format.starts_with("error while decoding MB");
}

/// Called on any thread.
void keep_message(void* about, int level, const char* format, std::va_list values) {
    constexpr std::size_t most_objects = 64;
    if (tells_damage(format)) {
        note_damage(about);
    }
    if (level > AV_LOG_ERROR || about == nullptr) {
        return;
    }
    std::array<char, 512> text{};
    static_cast<void>(std::vsnprintf(text.data(), text.size(), format, values));
    Messages& all = messages();
    const std::lock_guard lock(all.mutex);
    if (all.last.size() < most_objects || all.last.contains(about)) {
        all.last[about] = tidy(text.data());
    }
}

} // namespace

AvFrame make_frame() {
    return AvFrame(check_memory(av_frame_alloc()));
}

AvPacket make_packet() {
    return AvPacket(check_memory(av_packet_alloc()));
}

std::int64_t in_units(double seconds, AVRational unit) {
    return std::llround(seconds / av_q2d(unit));
}

std::int64_t duration_of(const AVFrame& frame) {
#if LIBAVUTIL_VERSION_INT >= AV_VERSION_INT(57, 30, 100)
    return frame.duration;
#else
    return frame.pkt_duration;
#endif
}

#ifdef AV_FRAME_FLAG_INTERLACED
bool has_fields(const AVFrame& frame) {
    return (frame.flags & AV_FRAME_FLAG_INTERLACED) != 0;
}

bool begins_with_top(const AVFrame& frame) {
    return !has_fields(frame) || (frame.flags & AV_FRAME_FLAG_TOP_FIELD_FIRST) != 0;
}

void make_progressive(AVFrame& frame) {
    frame.flags &= ~(AV_FRAME_FLAG_INTERLACED | AV_FRAME_FLAG_TOP_FIELD_FIRST);
#if FF_API_INTERLACED_FRAME // FFV1's encoder looks at the older fields as long as they are there
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
    frame.interlaced_frame = 0;
    frame.top_field_first = 0;
#pragma GCC diagnostic pop
#endif
}
#else
bool has_fields(const AVFrame& frame) {
    return frame.interlaced_frame != 0;
}

bool begins_with_top(const AVFrame& frame) {
    return !has_fields(frame) || frame.top_field_first != 0;
}

void make_progressive(AVFrame& frame) {
    frame.interlaced_frame = 0;
    frame.top_field_first = 0;
}
#endif

#if LIBAVCODEC_VERSION_INT >= AV_VERSION_INT(60, 29, 100)
std::span<const AVPacketSideData> side_data_of(const AVStream& stream) {
    const AVCodecParameters& codec = *stream.codecpar;
    return {codec.coded_side_data, static_cast<std::size_t>(codec.nb_coded_side_data)};
}

void set_side_data(AVStream& stream, const AVPacketSideData& data) {
    AVCodecParameters& codec = *stream.codecpar;
    AVPacketSideData* room =
        av_packet_side_data_new(&codec.coded_side_data, &codec.nb_coded_side_data, data.type, data.size, 0);
    std::memcpy(check_memory(room)->data, data.data, data.size);
}
#else
std::span<const AVPacketSideData> side_data_of(const AVStream& stream) {
    return {stream.side_data, static_cast<std::size_t>(stream.nb_side_data)};
}

void set_side_data(AVStream& stream, const AVPacketSideData& data) {
    std::memcpy(check_memory(av_stream_new_side_data(&stream, data.type, data.size)), data.data, data.size);
}
#endif

std::span<const std::uint8_t> side_data_of(const AVStream& stream, AVPacketSideDataType type) {
    for (const AVPacketSideData& data : side_data_of(stream)) {
        if (data.type == type) {
            return {data.data, data.size};
        }
    }
    return {};
}

namespace {

template <class T>
std::vector<T> values_of(const T* one, T end) {
    std::vector<T> values;
    for (; one != nullptr && *one != end; ++one) {
        values.push_back(*one);
    }
    return values;
}

} // namespace

#if LIBAVCODEC_VERSION_INT >= AV_VERSION_INT(61, 13, 100)
namespace {

template <class T>
std::vector<T> config_of(const AVCodec& encoder, AVCodecConfig what, T end) {
    const void* all = nullptr;
    static_cast<void>(
        avcodec_get_supported_config(nullptr, &encoder, what, 0, &all, nullptr)); // else there are none
    return values_of(static_cast<const T*>(all), end);
}

} // namespace

std::vector<AVPixelFormat> pixel_formats_of(const AVCodec& encoder) {
    return config_of(encoder, AV_CODEC_CONFIG_PIX_FORMAT, AV_PIX_FMT_NONE);
}

std::vector<AVSampleFormat> sample_formats_of(const AVCodec& encoder) {
    return config_of(encoder, AV_CODEC_CONFIG_SAMPLE_FORMAT, AV_SAMPLE_FMT_NONE);
}

std::vector<int> sample_rates_of(const AVCodec& encoder) {
    return config_of(encoder, AV_CODEC_CONFIG_SAMPLE_RATE, 0);
}
#else
std::vector<AVPixelFormat> pixel_formats_of(const AVCodec& encoder) {
    return values_of(encoder.pix_fmts, AV_PIX_FMT_NONE);
}

std::vector<AVSampleFormat> sample_formats_of(const AVCodec& encoder) {
    return values_of(encoder.sample_fmts, AV_SAMPLE_FMT_NONE);
}

std::vector<int> sample_rates_of(const AVCodec& encoder) {
    return values_of(encoder.supported_samplerates, 0);
}
#endif

std::string value_of(const AVDictionary* metadata, const char* key) {
    const AVDictionaryEntry* entry = av_dict_get(metadata, key, nullptr, 0);
    return entry == nullptr ? "" : entry->value;
}

std::string kind_of(const AVStream& stream) {
    const char* kind = av_get_media_type_string(stream.codecpar->codec_type);
    return kind == nullptr ? "" : stream.codecpar->codec_type == AVMEDIA_TYPE_AUDIO ? "sound" : kind;
}

bool is_pcm(AVCodecID codec) {
    return std::string_view(avcodec_get_name(codec)).starts_with("pcm_");
}

bool holds_codec(const AVOutputFormat& format, AVCodecID codec) {
    if (std::string_view(format.name) == "mpegts") {
        constexpr std::array known{AV_CODEC_ID_H264,
                                   AV_CODEC_ID_HEVC,
                                   AV_CODEC_ID_MPEG1VIDEO,
                                   AV_CODEC_ID_MPEG2VIDEO,
                                   AV_CODEC_ID_MPEG4,
                                   AV_CODEC_ID_AAC,
                                   AV_CODEC_ID_AAC_LATM,
                                   AV_CODEC_ID_MP2,
                                   AV_CODEC_ID_MP3,
                                   AV_CODEC_ID_AC3,
                                   AV_CODEC_ID_EAC3,
                                   AV_CODEC_ID_DTS,
                                   AV_CODEC_ID_OPUS,
                                   AV_CODEC_ID_TRUEHD,
                                   AV_CODEC_ID_DVB_SUBTITLE,
                                   AV_CODEC_ID_DVB_TELETEXT,
                                   AV_CODEC_ID_HDMV_PGS_SUBTITLE,
                                   AV_CODEC_ID_SMPTE_KLV};
        return std::find(known.begin(), known.end(), codec) != known.end();
    }
    // QuickTime's muxer refuses these with its header alone.
    const bool is_for_mp4 = codec == AV_CODEC_ID_AV1 || codec == AV_CODEC_ID_VP9;
    const std::string_view name = format.name;
    const bool is_unplayed =
        name == "mp4" && is_pcm(codec); // FFmpeg writes it from version 7 on, and few programs play it
    return codec != AV_CODEC_ID_NONE && !(is_for_mp4 && name == "mov") && !is_unplayed &&
           avformat_query_codec(&format, codec, FF_COMPLIANCE_NORMAL) != 0;
}

bool is_text(const AVStream& stream) {
    const AVCodecDescriptor* codec = avcodec_descriptor_get(stream.codecpar->codec_id);
    return codec != nullptr && (codec->props & AV_CODEC_PROP_TEXT_SUB) != 0;
}

void check_memory(int status) {
    if (status < 0) {
        throw std::bad_alloc();
    }
}

void take_packets(AVCodecContext& encoder, int status, AVPacket& packet, const std::string& what,
                  const TakePacket& take) {
    while (status >= 0) {
        status = avcodec_receive_packet(&encoder, &packet);
        if (status >= 0) {
            take(packet);
            av_packet_unref(&packet);
        }
    }
    if (status != AVERROR(EAGAIN) && status != AVERROR_EOF) {
        throw Error(ErrorCode::operation, what + ": " + av_error_text(status));
    }
}

std::string AvOptions::left() const {
    const AVDictionaryEntry* entry = av_dict_get(options_, "", nullptr, AV_DICT_IGNORE_SUFFIX);
    return entry == nullptr ? "" : entry->key;
}

std::string av_error_text(int status) {
    std::array<char, AV_ERROR_MAX_STRING_SIZE> text{};
    av_strerror(status, text.data(), text.size());
    return tidy(text.data());
}

void quiet_av() {
    av_log_set_callback(keep_message);
}

std::string take_av_message(const void* about) {
    Messages& all = messages();
    const std::lock_guard lock(all.mutex);
    const auto found = all.last.find(about);
    if (found == all.last.end()) {
        return {};
    }
    std::string text = std::move(found->second);
    all.last.erase(found);
    return text;
}

} // namespace glproc::video
