#include "video/write/video_writer.hpp"

#include "glproc/base/counted.hpp"
#include "glproc/base/error.hpp"
#include "video/read/pixels.hpp"
#include "video/settings.hpp"

#include <algorithm>
#include <iterator>
#include <string_view>

#include <fmt/format.h>

namespace glproc::video {

namespace {

using cli::VideoCodec;

/// A subtitle that is on screen when a part begins or ends stays for the rest of its time.
void cut_subtitle(AVPacket& packet, std::int64_t begin, std::optional<std::int64_t> end) {
    const std::int64_t stop = av_sat_add64(packet.pts, packet.duration); // a file may say anything
    if (packet.pts == AV_NOPTS_VALUE || packet.duration <= 0 || stop <= begin) {
        return;
    }
    if (packet.pts < begin) {
        packet.pts = begin;
        packet.dts = begin;
    }
    packet.duration = std::max<std::int64_t>(std::min(stop, end.value_or(stop)) - packet.pts, 1);
}

bool is_cover(const AVStream& stream) {
    return (stream.disposition & AV_DISPOSITION_ATTACHED_PIC) != 0;
}

/// Lets a muxer read what it wrote, and open nothing else.
int open_written(AVFormatContext* muxer, AVIOContext** opened, const char* /*url*/, int flags,
                 AVDictionary** /*options*/) {
    *opened = flags == AVIO_FLAG_READ ? static_cast<OutputFile*>(muxer->opaque)->reader() : nullptr;
    return *opened == nullptr ? AVERROR(EACCES) : 0;
}

int close_written(AVFormatContext* /*muxer*/, AVIOContext* opened) {
    av_freep(&opened->buffer);
    avio_context_free(&opened);
    return 0;
}

} // namespace

VideoWriter::VideoWriter(const std::string& path, const VideoFormat& format, const EncodeSettings& settings,
                         const VideoReader* source, const Span& span, PlanesPool& pool)
    : path_(path), end_(settings.container), span_(span), pool_(pool), file_(path) {
    quiet_av();
    check_container(end_, path);
    if (avformat_alloc_output_context2(&muxer_, nullptr, nullptr, ("." + end_).c_str()) < 0) {
        throw Error(ErrorCode::usage, fmt::format("{}: this libavformat does not write such files", path));
    }
    try {
        muxer_->pb = file_.io();
        muxer_->flags |= AVFMT_FLAG_CUSTOM_IO;
        muxer_->opaque = &file_;
        muxer_->io_open = open_written;
        muxer_->io_close2 = close_written;
        if (source != nullptr) {
            shift_ = source->start() + span.begin;
        }
        open_encoder(format, settings);
        if (source == nullptr) {
            new_video();
        } else {
            copy_streams(*source, settings);
            for (const auto& [stream, note] : source->lost_subtitles()) {
                if (copies_.at(static_cast<std::size_t>(stream)) != nullptr) {
                    notes_.push_back(note);
                }
            }
        }
        AvOptions options;
        if (is_mov()) { // the index first, so that players can begin before they have all
            options.set("movflags",
                        file_.seekable() ? "+faststart" : "frag_keyframe+empty_moov+default_base_moof");
        }
        const int status = avformat_write_header(muxer_, options.get());
        file_.check();
        if (status < 0) {
            const std::string said = take_av_message(muxer_);
            throw Error(ErrorCode::usage,
                        fmt::format("{}: {}", path, said.empty() ? av_error_text(status) : said));
        }
    } catch (...) {
        avformat_free_context(muxer_);
        throw;
    }
}

VideoWriter::~VideoWriter() {
    avformat_free_context(muxer_);
}

AVStream& VideoWriter::new_stream() {
    return *check_memory(avformat_new_stream(muxer_, nullptr));
}

std::vector<std::string> VideoWriter::late_notes() const {
    int damaged = 0;
    for (const std::unique_ptr<SoundTrack>& sound : sounds_) {
        damaged += sound ? sound->damaged() : 0;
    }
    return damaged == 0 ? std::vector<std::string>{}
                        : std::vector{fmt::format("{}: its sound has {}, with silence instead", path_,
                                                  counted(damaged, "damaged packet"))};
}

bool VideoWriter::is_mov() const {
    const std::string_view name = muxer_->oformat->name;
    return name == "mp4" || name == "mov" || name == "ipod";
}

/// Next to nothing plays H.264 of more than 8 bits, and all that shows HDR plays H.265.
VideoCodec VideoWriter::usual_codec(const VideoFormat& format) const {
    const VideoCodec usual = cli::find_video_container(end_)->codec;
    const bool is_hdr = format.is_hdr();
    const bool can =
        holds_codec(*muxer_->oformat, AV_CODEC_ID_HEVC) && avcodec_find_encoder_by_name("libx265") != nullptr;
    return usual == VideoCodec::h264 && can && (format.form.bits > 8 || is_hdr) ? VideoCodec::h265 : usual;
}

namespace {

/// So many bits, or the next number of them for which there is a pixel format of this layout; those of the
/// frames where there is none.
int bits_near(const VideoFormat& format, int wanted) {
    constexpr int most = 16;
    for (YcbcrForm form = format.form; wanted <= most; ++wanted) {
        form.bits = wanted;
        if (planar_format(form, format.is_rgb(), format.alpha) != AV_PIX_FMT_NONE) {
            return wanted;
        }
    }
    return format.form.bits;
}

} // namespace

void VideoWriter::open_encoder(VideoFormat format, const EncodeSettings& settings) {
    format.form.bits = settings.bits ? bits_near(format, *settings.bits) : format.form.bits;
    const VideoCodec codec = settings.codec.value_or(usual_codec(format));
    if (!holds_codec(*muxer_->oformat, id_of(codec))) {
        fail_at_codec(codec);
    }
    const bool global_header = (muxer_->oformat->flags & AVFMT_GLOBALHEADER) != 0;
    encoder_ = std::make_unique<Encoder>(codec, settings, format, global_header, path_);
    if (!encoder_->note().empty()) {
        notes_.push_back(encoder_->note());
    }
    if (settings.bits &&
        encoder_->format().form.bits > *settings.bits) { // which loses nothing: the encoder has no note
        notes_.push_back(fmt::format("{}: {} has no {} bits, it is written with {}", path_, name_of(codec),
                                     *settings.bits, encoder_->format().form.bits));
    }
}

void VideoWriter::new_video() {
    video_ = &new_stream();
    const AVCodecContext& codec = encoder_->context();
    check_memory(avcodec_parameters_from_context(video_->codecpar, &codec));
    if (codec.codec_id == AV_CODEC_ID_HEVC && is_mov()) {
        video_->codecpar->codec_tag = MKTAG('h', 'v', 'c', '1'); // the only one that Apple's players take
    }
    video_->time_base = codec.time_base;
    video_->sample_aspect_ratio = codec.sample_aspect_ratio;
    video_->avg_frame_rate = codec.framerate;
    put_hdr_metadata(encoder_->format().hdr, *video_);
}

void VideoWriter::check(int status) const {
    file_.check();
    if (status < 0) {
        throw Error(ErrorCode::operation,
                    fmt::format("{}: writing failed: {}", path_, av_error_text(status)));
    }
}

void VideoWriter::put(AVPacket& packet, const AVStream& stream, AVRational time_base) {
    packet.stream_index = stream.index;
    packet.pos = -1;
    av_packet_rescale_ts(&packet, time_base, stream.time_base);
    check(av_interleaved_write_frame(muxer_, &packet));
}

void VideoWriter::write(FrameData frame) {
    for (AvPacket& packet : frame.packets) {
        copy(std::move(packet));
    }
    const AVRational unit = encoder_->format().time_base;
    const auto take = [&](AVPacket& packet) { put(packet, *video_, unit); };
    frame.time -= in_units(shift_, unit);
    encoder_->write(frame, take);
    pool_.give(std::move(frame.planes));
}

void VideoWriter::copy(AvPacket packet) {
    const auto stream = static_cast<std::size_t>(packet->stream_index);
    AVStream* to = stream < copies_.size() ? copies_[stream] : nullptr;
    if (to == nullptr) {
        return;
    }
    if (sounds_[stream]) {
        sounds_[stream]->write(packet.get(),
                               [&](AVPacket& coded) { put(coded, *to, sounds_[stream]->unit()); });
        return;
    }
    const AVRational unit = time_bases_[stream];
    const std::int64_t shift = in_units(shift_, unit);
    const bool cut = span_.begin > 0 || span_.end;
    if (cut && to->codecpar->codec_type == AVMEDIA_TYPE_SUBTITLE) {
        cut_subtitle(*packet, shift,
                     span_.end ? std::optional(shift + in_units(*span_.end - span_.begin, unit))
                               : std::nullopt);
    }
    const std::int64_t time = packet->pts != AV_NOPTS_VALUE ? packet->pts : packet->dts;
    if (time != AV_NOPTS_VALUE && !is_cover(*to)) {
        const double seconds = static_cast<double>(time - shift) * av_q2d(unit);
        if (cut && (seconds < 0 || (span_.end && seconds >= *span_.end - span_.begin))) {
            return;
        }
    }
    for (std::int64_t* at : {&packet->pts, &packet->dts}) {
        *at -= *at == AV_NOPTS_VALUE ? 0 : shift;
    }
    put(*packet, *to, unit);
}

void VideoWriter::finish(std::vector<AvPacket> rest) {
    for (AvPacket& packet : rest) {
        copy(std::move(packet));
    }
    const AVRational unit = encoder_->format().time_base;
    encoder_->finish([&](AVPacket& packet) { put(packet, *video_, unit); });
    for (std::size_t i = 0; i < sounds_.size(); ++i) {
        if (sounds_[i]) {
            sounds_[i]->write(nullptr, [&](AVPacket& coded) { put(coded, *copies_[i], sounds_[i]->unit()); });
        }
    }
    check(av_write_trailer(muxer_));
    file_.commit();
}

std::unique_ptr<FrameSink> write_video(const std::string& path, const VideoFormat& format,
                                       const EncodeSettings& settings, const VideoReader* source,
                                       const Span& span, PlanesPool& pool) {
    return std::make_unique<VideoWriter>(path, format, settings, source, span, pool);
}

} // namespace glproc::video
