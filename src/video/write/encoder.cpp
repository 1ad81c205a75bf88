#include "video/write/encoder.hpp"

#include "cli/words/unknown.hpp"
#include "video/fail.hpp"
#include "video/read/video_info.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

extern "C" {
#include <libavutil/opt.h>
#include <libavutil/pixdesc.h>
}

namespace glproc::video {

namespace {

using cli::VideoCodec;

/// A B-frame lies between two others: of fewer frames none is put off, and each is decoded when it is shown.
/// x265 says any time of decoding for those: it takes its delay from the third frame.
constexpr std::int64_t fewest_with_delay = 3;

} // namespace

VideoFormat halved_chroma(VideoFormat format) {
    format.form.across = format.form.down = 2;
    format.form.centred_across = false;
    format.form.centred_down = true;
    format.code = {usual_matrix(format.form.width, format.form.height), YcbcrRange::limited};
    format.location = AVCHROMA_LOC_LEFT;
    return format;
}

void EncoderFree::operator()(AVCodecContext* context) const {
    if (avcodec_is_open(context) != 0 && context->codec_id == AV_CODEC_ID_AV1) {
        const AvFrame frame = make_frame();
        frame->format = context->pix_fmt;
        frame->width = context->width;
        frame->height = context->height;
        const bool fed = frames > 0 || (av_frame_get_buffer(frame.get(), 0) >= 0 &&
                                        avcodec_send_frame(context, frame.get()) >= 0);
        const AvPacket packet = make_packet();
        if (fed && avcodec_send_frame(context, nullptr) >= 0) {
            while (avcodec_receive_packet(context, packet.get()) >= 0) {
                av_packet_unref(packet.get());
            }
        }
    }
    avcodec_free_context(&context);
}

Encoder::Encoder(VideoCodec codec, const EncodeSettings& settings, VideoFormat format, bool global_header,
                 const std::string& name)
    : name_(name), format_(format), frame_(make_frame()), packet_(make_packet()) {
    if (!settings.encoder.empty() && begin_named(codec, settings, format, global_header)) {
        return;
    }
    const std::string& usual = usual_encoder(codec).encoder;
    const AVCodec* encoder = avcodec_find_encoder_by_name(usual.c_str());
    if (encoder == nullptr) {
        throw usage(fmt::format("this libavcodec cannot encode {}: it has no {}", name_of(codec), usual));
    }
    EncodeSettings own = settings;
    if (!settings.encoder.empty() && settings.encoder != usual) { // what was meant for another
        own.preset.clear();
        own.options.clear();
    }
    begin(*encoder, usual_encoder(codec), own, global_header);
}

void Encoder::begin(const AVCodec& encoder, const EncoderRow& row, const EncodeSettings& settings,
                    bool global_header) {
    codec_.reset(check_memory(avcodec_alloc_context3(&encoder)));
    choose_pixels(encoder, row.named);
    check_size(row.codec);
    set_up(settings, row, global_header);
    const bool has_fields = format_.fields != AV_FIELD_UNKNOWN && format_.fields != AV_FIELD_PROGRESSIVE;
    const bool says_fields =
        row.codec == VideoCodec::h264 || row.codec == VideoCodec::ffv1 || row.codec == VideoCodec::prores;
    if (has_fields && !says_fields) {
        note_ += fmt::format("{}{}: its frames are interlaced, which {} does not say to players; "
                             "--deinterlace frame makes whole ones",
                             note_.empty() ? "" : "; ", name_, name_of(row.codec));
    }
}

bool Encoder::begin_named(VideoCodec codec, const EncodeSettings& settings, const VideoFormat& format,
                          bool global_header) {
    const AVCodec* encoder = avcodec_find_encoder_by_name(settings.encoder.c_str());
    std::string why = "this libavcodec does not have it";
    if (encoder != nullptr && takes_device_frames_only(*encoder)) {
        why = "it takes frames in the memory of its device, which glproc cannot give it";
    } else if (encoder != nullptr) {
        try {
            begin(*encoder, named_encoder(*encoder, codec), settings, global_header);
            return true;
        } catch (const Error& error) {
            why = error.what();
        }
    }
    if (usual_encoder(codec).encoder == settings.encoder) {
        return false; // which fails once more, and says why
    }
    format_ = format;
    note_ = fmt::format("{} cannot be used here ({}): {} encodes instead, with its own settings",
                        settings.encoder, why, usual_encoder(codec).encoder);
    return false;
}

bool holds_alpha(VideoCodec codec, const std::string& container) {
    const bool is_matroska =
        container == "webm" || container == "mkv"; // no other has a place for it beside VP9
    return codec == VideoCodec::ffv1 || codec == VideoCodec::prores || codec == VideoCodec::qtrle ||
           (codec == VideoCodec::vp9 && is_matroska);
}

bool holds_siting(VideoCodec codec, const std::string& container) {
    return codec == VideoCodec::h264 || codec == VideoCodec::h265 ||
           (codec == VideoCodec::ffv1 && container == "mkv");
}

/// Some encoders take pairs of rows and columns only.
void Encoder::check_size(VideoCodec codec) const {
    const YcbcrForm& form = format_.form;
    const bool odd = form.width % form.across != 0 || form.height % form.down != 0;
    if (odd && (codec == VideoCodec::h264 || codec == VideoCodec::h265 || codec == VideoCodec::av1 ||
                codec == VideoCodec::prores)) {
        throw usage(fmt::format("{}: {}x{} is odd, and {} of {} takes even sizes only", name_, form.width,
                                form.height, name_of(codec), av_get_pix_fmt_name(pixels_)),
                    fmt::format("crop, pad or resize it to {}x{}, or take --codec ffv1 or vp9",
                                form.width / form.across * form.across, form.height / form.down * form.down));
    }
}

namespace {

/// What an encoder takes in one option, "display=G(…)…:light=1000,400", after what is `known` of it.
std::string with_hdr(std::vector<std::string> known, const HdrMetadata& hdr, const std::string& display,
                     const std::string& light, std::string (*words)(const AVMasteringDisplayMetadata&)) {
    if (hdr.display) {
        known.push_back(fmt::format("{}={}", display, words(*hdr.display)));
    }
    if (hdr.light) {
        known.push_back(fmt::format("{}={}", light, light_of(*hdr.light)));
    }
    return fmt::format("{}", fmt::join(known, ":"));
}

} // namespace

/// Throws Error(usage) for a name that neither the encoder nor libavcodec has.
void Encoder::check_option(const EncoderOption& option) const {
    if (av_opt_find(codec_.get(), option.name.c_str(), nullptr, 0, AV_OPT_SEARCH_CHILDREN) != nullptr) {
        return;
    }
    constexpr int of_frames = AV_OPT_FLAG_ENCODING_PARAM | AV_OPT_FLAG_VIDEO_PARAM;
    std::vector<std::string> names;
    for (const void* of : {codec_->priv_data, static_cast<void*>(codec_.get())}) {
        const AVOption* one = nullptr;
        while ((one = av_opt_next(of, one)) != nullptr) {
            if (one->type != AV_OPT_TYPE_CONST && (one->flags & of_frames) == of_frames) {
                names.emplace_back(one->name);
            }
        }
    }
    throw usage(fmt::format("{} has no option '{}'{}", codec_->codec->name, option.name,
                            cli::suggestion(option.name, "", names)),
                fmt::format("ffmpeg -h encoder={} lists them", codec_->codec->name));
}

void Encoder::set_usual_options(AvOptions& options, VideoCodec codec) const {
    switch (codec) {
    case VideoCodec::vp9:
        options.set("b", "0"); // the quality alone decides
        options.set("row-mt", "1");
        break;
    case VideoCodec::h264:
        options.set("x264-params", with_hdr({}, format_.hdr, "mastering-display", "cll", display_of_x26x));
        break;
    case VideoCodec::h265:
        options.set("x265-params",
                    with_hdr({"log-level=none"}, format_.hdr, "master-display", "max-cll", display_of_x26x));
        break;
    case VideoCodec::av1:
        options.set("svtav1-params",
                    with_hdr({}, format_.hdr, "mastering-display", "content-light", display_of_av1));
        static_cast<void>(
            ::setenv("SVT_LOG", "1", 0)); // NOLINT(concurrency-mt-unsafe): or it greets people on stderr
        break;
    case VideoCodec::ffv1:
        options.set("level", "3");
        options.set("slicecrc", "1");
        break;
    case VideoCodec::prores:
        options.set("profile", format_.form.across == 1 ? "4444" : "hq");
        options.set("alpha_bits", format_.alpha ? "16" : "");
        break;
    default:
        break;
    }
}

namespace {

/// Whether an option says what --crf would overrule. Throws Error(usage) where both are given to an encoder
/// that takes one.
bool asks_for_rate(const EncoderRow& row, const EncodeSettings& settings) {
    constexpr std::array<std::string_view, 4> rates{"b", "qp", "cq", "global_quality"};
    const auto given =
        std::find_if(settings.options.begin(), settings.options.end(), [&](const EncoderOption& option) {
            return std::find(rates.begin(), rates.end(), option.name) != rates.end() &&
                   option.name != row.quality;
        });
    const bool has_rate = given != settings.options.end();
    const bool takes_both =
        row.named || row.codec == VideoCodec::vp9; // the quality, but no more than the rate
    const auto same = std::find_if(settings.options.begin(), settings.options.end(),
                                   [&](const EncoderOption& option) { return option.name == row.quality; });
    const auto other = same != settings.options.end() ? same : takes_both ? settings.options.end() : given;
    if (other != settings.options.end() && settings.crf && row.crf >= 0) {
        throw usage(fmt::format("--crf and --encoder-option {}={} both say how large {} makes its frames",
                                other->name, other->value, row.encoder),
                    "leave one of them out");
    }
    return has_rate;
}

} // namespace

void Encoder::set_up(const EncodeSettings& settings, const EncoderRow& row, bool global_header) {
    if (settings.crf && row.crf < 0) {
        throw usage(fmt::format("--crf has no effect on {}", row.named ? row.encoder : name_of(row.codec)));
    }
    check_preset(row, settings.preset);
    AVCodecContext& context = *codec_;
    context.width = format_.form.width;
    context.height = format_.form.height;
    context.pix_fmt = pixels_;
    context.time_base = format_.time_base;
    context.framerate = format_.rate;
    context.sample_aspect_ratio = format_.pixel_aspect;
    const bool is_guessed =
        !format_.tagged && format_.code.matrix == usual_matrix(context.width, context.height);
    context.colorspace = is_guessed ? AVCOL_SPC_UNSPECIFIED : tag_of(format_.code.matrix);
    context.color_range = tag_of(format_.code.range);
    context.color_primaries = format_.primaries;
    context.color_trc = format_.transfer;
    context.chroma_sample_location = format_.location;
    context.field_order = format_.fields;
    context.thread_count = 0; // as many as there are cores
    if (format_.fields != AV_FIELD_UNKNOWN && format_.fields != AV_FIELD_PROGRESSIVE) {
        context.flags |= AV_CODEC_FLAG_INTERLACED_DCT | AV_CODEC_FLAG_INTERLACED_ME;
    }
    context.flags |= global_header ? AV_CODEC_FLAG_GLOBAL_HEADER : 0;
    AvOptions options;
    const bool has_rate = asks_for_rate(row, settings);
    if (row.crf >= 0 && (!has_rate || settings.crf)) {
        options.set(row.quality.c_str(), std::to_string(settings.crf.value_or(row.crf)));
    }
    if (!row.preset.empty() && !(settings.preset.empty() && row.usual.empty())) {
        options.set(row.preset.c_str(), settings.preset.empty() ? row.usual : settings.preset);
    }
    if (row.named) {
        if (row.crf >= 0) {
            options.set("b", "0"); // the quality alone decides
        }
    } else {
        set_usual_options(options, row.codec);
    }
    for (const EncoderOption& option : settings.options) {
        check_option(option);
        const AVDictionaryEntry* ours = av_dict_get(*options.get(), option.name.c_str(), nullptr, 0);
        const bool is_list = option.name.ends_with("-params") && ours != nullptr;
        options.set(option.name.c_str(),
                    is_list ? fmt::format("{}:{}", ours->value, option.value) : option.value);
    }
    const int status = avcodec_open2(&context, context.codec, options.get());
    const std::string said = take_av_message(&context);
    if (status < 0 || !options.left().empty()) {
        throw usage(fmt::format("{}: {} cannot encode this: {}", name_, row.encoder,
                                said.empty() ? av_error_text(status) : said));
    }
}

void Encoder::send(const AVFrame* frame, const TakePacket& take) {
    const int status = avcodec_send_frame(codec_.get(), frame);
    codec_.get_deleter().frames += frame != nullptr && status >= 0 ? 1 : 0;
    const bool in_order = frame == nullptr && codec_.get_deleter().frames < fewest_with_delay;
    take_packets(*codec_, status, *packet_, name_ + ": encoding failed", [&](AVPacket& packet) {
        if (const auto known = durations_.find(packet.pts); known != durations_.end()) {
            packet.duration = known->second;
            durations_.erase(known);
        }
        packet.dts = in_order ? packet.pts : packet.dts;
        take(packet);
    });
}

void Encoder::write(const FrameData& data, const TakePacket& take) {
    AVFrame& frame = *frame_;
    if (frame.buf[0] != nullptr && av_frame_is_writable(&frame) == 0) {
        av_frame_unref(&frame); // the encoder still has it
    }
    if (frame.buf[0] == nullptr) {
        frame.format = pixels_;
        frame.width = format_.form.width;
        frame.height = format_.form.height;
        check_memory(av_frame_get_buffer(&frame, 0));
    }
    if (data.properties) {
        check_memory(av_frame_copy_props(&frame, data.properties.get()));
        av_frame_remove_side_data(&frame, AV_FRAME_DATA_DISPLAYMATRIX); // it is upright now
        if (format_.transfer == AVCOL_TRC_BT709) {                      // which --to-sdr may have made of HDR
            for (const AVFrameSideDataType of_hdr :
                 {AV_FRAME_DATA_MASTERING_DISPLAY_METADATA, AV_FRAME_DATA_CONTENT_LIGHT_LEVEL,
                  AV_FRAME_DATA_DYNAMIC_HDR_PLUS, AV_FRAME_DATA_DOVI_METADATA}) {
                av_frame_remove_side_data(&frame, of_hdr);
            }
        }
    }
    put_planes(data.planes, data.alpha.width() > 0 ? &data.alpha : nullptr, frame);
    if (format_.fields == AV_FIELD_PROGRESSIVE) {
        make_progressive(frame);
    }
    frame.pts = data.time;
    frame.pict_type = AV_PICTURE_TYPE_NONE; // the encoder decides
    frame.colorspace = codec_->colorspace;
    frame.color_range = codec_->color_range;
    frame.color_primaries = codec_->color_primaries;
    frame.color_trc = codec_->color_trc;
    frame.chroma_location = codec_->chroma_sample_location;
    frame.sample_aspect_ratio = codec_->sample_aspect_ratio;
    durations_[data.time] = data.duration;
    send(&frame, take);
}

void Encoder::finish(const TakePacket& take) {
    send(nullptr, take);
}

} // namespace glproc::video
