#include "video/film_writer.hpp"

#include "glproc/base/error.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <iterator>
#include <new>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace glproc::video {

namespace {

using cli::FilmCodec;

std::string kind_of(const AVStream& stream) {
    const char* kind = av_get_media_type_string(stream.codecpar->codec_type);
    return kind == nullptr ? "unknown" : stream.codecpar->codec_type == AVMEDIA_TYPE_AUDIO ? "sound" : kind;
}

bool is_cover(const AVStream& stream) {
    return (stream.disposition & AV_DISPOSITION_ATTACHED_PIC) != 0;
}

std::int64_t in_units(double seconds, AVRational unit) {
    return std::llround(seconds / av_q2d(unit));
}

} // namespace

void FilmWriter::check_container(const std::string& end, const std::string& path) {
    if (cli::find_film_container(end) == nullptr) {
        std::vector<std::string_view> known;
        std::transform(cli::film_containers.begin(), cli::film_containers.end(), std::back_inserter(known),
                       [](const cli::FilmContainer& one) { return one.end; });
        throw Error(ErrorCode::usage, fmt::format("{}: unknown video format '.{}' (known: {})", path,
                                                  end, fmt::join(known, ", ")));
    }
}

namespace {

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

FilmWriter::FilmWriter(const std::string& path, const FilmFormat& format, const EncodeSettings& settings,
                       const FilmReader* source, const Span& span)
    : path_(path), end_(settings.container), span_(span), file_(path) {
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
            shift_ = static_cast<double>(std::max<std::int64_t>(source->container().start_time, 0)) /
                         AV_TIME_BASE +
                     span.begin;
        }
        open_encoder(format, settings);
        if (source == nullptr) {
            new_video();
        } else {
            copy_streams(*source, settings);
        }
        AvOptions options;
        if (is_mov()) { // the index first, so that players can begin before they have all
            options.set("movflags", file_.seekable() ? "+faststart" : "frag_keyframe+empty_moov+default_base_moof");
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

FilmWriter::~FilmWriter() {
    avformat_free_context(muxer_);
}

AVStream& FilmWriter::new_stream() {
    AVStream* stream = avformat_new_stream(muxer_, nullptr);
    if (stream == nullptr) {
        throw std::bad_alloc();
    }
    return *stream;
}

std::vector<std::string> FilmWriter::late_notes() const {
    int damaged = 0;
    for (const std::unique_ptr<SoundTrack>& sound : sounds_) {
        damaged += sound ? sound->damaged() : 0;
    }
    return damaged == 0 ? std::vector<std::string>{}
                        : std::vector{fmt::format("{}: {} packets of its sound are damaged; there is silence in their place",
                                                  path_, damaged)};
}

bool FilmWriter::is_mov() const {
    const std::string_view name = muxer_->oformat->name;
    return name == "mp4" || name == "mov" || name == "ipod";
}

/// Next to nothing plays H.264 of more than 8 bits, and all that shows HDR plays H.265.
FilmCodec FilmWriter::usual_codec(const FilmFormat& format) const {
    const FilmCodec usual = cli::find_film_container(end_)->codec;
    const bool is_hdr = format.transfer == AVCOL_TRC_SMPTE2084 || format.transfer == AVCOL_TRC_ARIB_STD_B67;
    const bool can = avformat_query_codec(muxer_->oformat, AV_CODEC_ID_HEVC, FF_COMPLIANCE_NORMAL) != 0 &&
                     avcodec_find_encoder_by_name("libx265") != nullptr;
    return usual == FilmCodec::h264 && can && (format.form.bits > 8 || is_hdr) ? FilmCodec::h265 : usual;
}

void FilmWriter::open_encoder(const FilmFormat& format, const EncodeSettings& settings) {
    const FilmCodec codec = settings.codec.value_or(usual_codec(format));
    const bool global_header = (muxer_->oformat->flags & AVFMT_GLOBALHEADER) != 0;
    encoder_ = std::make_unique<Encoder>(codec, settings, format, global_header, path_);
    if (!encoder_->note().empty()) {
        notes_.push_back(encoder_->note());
    }
    if (avformat_query_codec(muxer_->oformat, encoder_->context().codec_id, FF_COMPLIANCE_NORMAL) == 0) {
        throw Error(ErrorCode::usage, fmt::format("{}: {} holds no {}", path_, end_, name_of(codec)),
                    "choose another with --codec; mkv holds all of them");
    }
}

void FilmWriter::new_video() {
    video_ = &new_stream();
    const AVCodecContext& codec = encoder_->context();
    if (avcodec_parameters_from_context(video_->codecpar, &codec) < 0) {
        throw std::bad_alloc();
    }
    if (codec.codec_id == AV_CODEC_ID_HEVC && is_mov()) {
        video_->codecpar->codec_tag = MKTAG('h', 'v', 'c', '1'); // the only one that Apple's players take
    }
    video_->time_base = codec.time_base;
    video_->sample_aspect_ratio = codec.sample_aspect_ratio;
    video_->avg_frame_rate = codec.framerate;
    put_hdr_metadata(encoder_->format().hdr, *video_);
}

/// All streams of the source in their order, that of the frames among them.
void FilmWriter::copy_streams(const FilmReader& source, const EncodeSettings& settings) {
    const AVFormatContext& from = source.container();
    int sounds = 0;
    for (unsigned i = 0; i < from.nb_streams; ++i) {
        const AVStream& stream = *from.streams[i];
        const bool is_video = static_cast<int>(i) == source.stream();
        time_bases_.push_back(stream.time_base);
        copies_.push_back(nullptr);
        sounds_.push_back(nullptr);
        if (is_video) {
            new_video();
            describe(*video_, stream, false);
        } else if (settings.only_video || (stream.codecpar->codec_type == AVMEDIA_TYPE_AUDIO && settings.sound.track > 0 &&
                                           ++sounds != settings.sound.track)) {
            continue;
        } else if (stream.codecpar->codec_type == AVMEDIA_TYPE_AUDIO && !keeps_sound(stream, settings.sound)) {
            encode_sound(stream, settings.sound, source);
        } else if (may_copy(stream)) {
            AVStream& copy = new_stream();
            avcodec_parameters_copy(copy.codecpar, stream.codecpar);
            describe(copy, stream, true);
            copy.avg_frame_rate = stream.avg_frame_rate;
            copy.sample_aspect_ratio = stream.sample_aspect_ratio;
            unsigned ours = 0;
            const AVCodecTag* const* tags = muxer_->oformat->codec_tag;
            const bool keeps_tag =
                tags == nullptr ||
                av_codec_get_id(tags, stream.codecpar->codec_tag) == stream.codecpar->codec_id ||
                av_codec_get_tag2(tags, stream.codecpar->codec_id, &ours) == 0;
            copy.codecpar->codec_tag = keeps_tag ? stream.codecpar->codec_tag : 0;
            copy.time_base = stream.time_base;
            copies_.back() = &copy;
        }
    }
    if (settings.sound.track > sounds) {
        throw Error(ErrorCode::usage, fmt::format("there is no sound track {}: {} has {}", settings.sound.track, source.name(), sounds));
    }
    av_dict_copy(&muxer_->metadata, from.metadata, 0);
    for (const char* ours : {"major_brand", "minor_version", "compatible_brands", "encoder"}) {
        av_dict_set(&muxer_->metadata, ours, nullptr, 0);
    }
    if (!settings.only_video) {
        copy_chapters(from);
    }
}

/// Sound and subtitles that the format cannot hold are an error, other data are left out with a note.
bool FilmWriter::may_copy(const AVStream& from) {
    const AVCodecParameters& codec = *from.codecpar;
    const bool is_matroska = end_ == "mkv";
    if (codec.codec_type == AVMEDIA_TYPE_ATTACHMENT && is_matroska &&
        av_dict_get(from.metadata, "mimetype", nullptr, 0) != nullptr) {
        return true; // whatever it holds
    }
    constexpr std::uint32_t timecode = MKTAG('t', 'm', 'c', 'd');
    if (codec.codec_tag == timecode && av_dict_get(from.metadata, "timecode", nullptr, 0) != nullptr &&
        end_ != "ts") {
        return false; // the muxer makes such a track of the metadata, or keeps these
    }
    if (avformat_query_codec(muxer_->oformat, codec.codec_id, FF_COMPLIANCE_NORMAL) != 0 &&
        codec.codec_id != AV_CODEC_ID_NONE) {
        return true;
    }
    if (codec.codec_type == AVMEDIA_TYPE_AUDIO || codec.codec_type == AVMEDIA_TYPE_SUBTITLE) {
        throw Error(ErrorCode::usage,
                    fmt::format("{}: {} holds no {} of {}", path_, end_, kind_of(from),
                                avcodec_get_name(codec.codec_id)),
                    codec.codec_type == AVMEDIA_TYPE_AUDIO ? "without --sound copy it is encoded again"
                                                           : "write mkv, or leave out all but the frames: --only-video");
    }
    const std::string of = codec.codec_id == AV_CODEC_ID_NONE
                               ? ""
                               : fmt::format(" of {}", avcodec_get_name(codec.codec_id));
    notes_.push_back(
        fmt::format("{}: {} holds no {}{}: it is left out", path_, end_, kind_of(from), of));
    return false;
}

/// Whether the packets of a stream of sound become those of the film as they are; otherwise they are encoded again.
bool FilmWriter::keeps_sound(const AVStream& from, const SoundSettings& settings) const {
    if (settings.codec) {
        return *settings.codec == cli::FilmSound::copy;
    }
    return !settings.changes() && holds_sound(*muxer_->oformat, from.codecpar->codec_id);
}

void FilmWriter::encode_sound(const AVStream& from, const SoundSettings& settings, const FilmReader& source) {
    if (settings.codec == cli::FilmSound::none) {
        return;
    }
    const cli::FilmSound codec = settings.codec.value_or(usual_sound(*muxer_->oformat, from.codecpar->codec_id));
    const double film_end = source.info().duration.value_or(0);
    const SoundPart part{.begin = shift_,
                         .length = span_.end         ? std::optional(*span_.end - span_.begin)
                                   : film_end > 0    ? std::optional(film_end - span_.begin)
                                                     : std::nullopt,
                         .cut = span_.begin > 0 || span_.end};
    AVStream& to = new_stream();
    describe(to, from, true);
    const bool global_header = (muxer_->oformat->flags & AVFMT_GLOBALHEADER) != 0;
    sounds_.back() = std::make_unique<SoundTrack>(from, codec, settings, part, global_header, path_);
    copies_.back() = &to;
    const AVCodecContext& encoder = sounds_.back()->encoder();
    if (avformat_query_codec(muxer_->oformat, encoder.codec_id, FF_COMPLIANCE_NORMAL) == 0) {
        throw Error(ErrorCode::usage, fmt::format("{}: {} holds no sound of {}", path_, end_, name_of(codec)),
                    fmt::format("--sound {} is what it holds", name_of(usual_sound(*muxer_->oformat, AV_CODEC_ID_NONE))));
    }
    if (avcodec_parameters_from_context(to.codecpar, &encoder) < 0) {
        throw std::bad_alloc();
    }
    to.time_base = encoder.time_base;
    if (!settings.codec && !settings.changes()) {
        notes_.push_back(fmt::format("{}: {} holds no sound of {}: it is encoded again as {}", path_, end_,
                                     avcodec_get_name(from.codecpar->codec_id), name_of(codec)));
    }
}

void FilmWriter::describe(AVStream& stream, const AVStream& from, bool is_copy) const {
    av_dict_copy(&stream.metadata, from.metadata, 0);
    av_dict_set(&stream.metadata, "encoder", nullptr, 0);
    if (!is_copy) { // new frames are upright
        av_dict_set(&stream.metadata, "rotate", nullptr, 0);
    }
    stream.disposition = from.disposition;
    for (const AVPacketSideData& data : side_data_of(from)) {
        const bool is_old =
            data.type == AV_PKT_DATA_CPB_PROPERTIES || (!is_copy && data.type == AV_PKT_DATA_DISPLAYMATRIX);
        const bool is_of_hdr = data.type == AV_PKT_DATA_MASTERING_DISPLAY_METADATA ||
                               data.type == AV_PKT_DATA_CONTENT_LIGHT_LEVEL || data.type == AV_PKT_DATA_DOVI_CONF;
        const bool is_sdr = !is_copy && encoder_->format().transfer == AVCOL_TRC_BT709;
        if (!is_old && !(is_of_hdr && is_sdr)) { // of the old encoding
            set_side_data(stream, data);
        }
    }
}

void FilmWriter::copy_chapters(const AVFormatContext& from) {
    if (from.nb_chapters == 0) {
        return;
    }
    muxer_->chapters = static_cast<AVChapter**>(av_calloc(from.nb_chapters, sizeof(AVChapter*)));
    for (unsigned i = 0; muxer_->chapters != nullptr && i < from.nb_chapters; ++i) {
        const AVChapter& chapter = *from.chapters[i];
        const std::int64_t shift = in_units(shift_, chapter.time_base);
        const bool is_in =
            chapter.end > shift &&
            (!span_.end || chapter.start < in_units(shift_ - span_.begin + *span_.end, chapter.time_base));
        auto* copy = is_in ? static_cast<AVChapter*>(av_mallocz(sizeof(AVChapter))) : nullptr;
        if (copy != nullptr) {
            copy->id = chapter.id;
            copy->time_base = chapter.time_base;
            copy->start = std::max<std::int64_t>(chapter.start - shift, 0);
            copy->end = chapter.end - shift;
            av_dict_copy(&copy->metadata, chapter.metadata, 0);
            muxer_->chapters[muxer_->nb_chapters++] = copy;
        }
    }
}

void FilmWriter::check(int status) const {
    file_.check();
    if (status < 0) {
        throw Error(ErrorCode::operation,
                    fmt::format("{}: writing failed: {}", path_, av_error_text(status)));
    }
}

void FilmWriter::put(AVPacket& packet, const AVStream& stream, AVRational time_base) {
    packet.stream_index = stream.index;
    packet.pos = -1;
    av_packet_rescale_ts(&packet, time_base, stream.time_base);
    check(av_interleaved_write_frame(muxer_, &packet));
}

void FilmWriter::write(const Planes& planes, const Image* alpha, std::int64_t time, std::int64_t duration,
                       const AVFrame* properties) {
    const AVRational unit = format().time_base;
    const auto take = [&](AVPacket& packet) { put(packet, *video_, unit); };
    encoder_->write(planes, alpha, time - in_units(shift_, unit), duration, properties, take);
}

void FilmWriter::copy(AvPacket packet) {
    const auto stream = static_cast<std::size_t>(packet->stream_index);
    AVStream* to = stream < copies_.size() ? copies_[stream] : nullptr;
    if (to == nullptr) {
        return;
    }
    if (sounds_[stream]) {
        sounds_[stream]->write(packet.get(), [&](AVPacket& coded) { put(coded, *to, sounds_[stream]->unit()); });
        return;
    }
    const AVRational unit = time_bases_[stream];
    const std::int64_t shift = in_units(shift_, unit);
    const std::int64_t time = packet->pts != AV_NOPTS_VALUE ? packet->pts : packet->dts;
    if (time != AV_NOPTS_VALUE && !is_cover(*to)) {
        const double seconds = static_cast<double>(time - shift) * av_q2d(unit);
        const bool cut = span_.begin > 0 || span_.end;
        if (cut && (seconds < 0 || (span_.end && seconds >= *span_.end - span_.begin))) {
            return;
        }
    }
    for (std::int64_t* at : {&packet->pts, &packet->dts}) {
        *at -= *at == AV_NOPTS_VALUE ? 0 : shift;
    }
    put(*packet, *to, unit);
}

void FilmWriter::finish() {
    const AVRational unit = format().time_base;
    encoder_->finish([&](AVPacket& packet) { put(packet, *video_, unit); });
    for (std::size_t i = 0; i < sounds_.size(); ++i) {
        if (sounds_[i]) {
            sounds_[i]->write(nullptr, [&](AVPacket& coded) { put(coded, *copies_[i], sounds_[i]->unit()); });
        }
    }
    check(av_write_trailer(muxer_));
    file_.commit();
}

} // namespace glproc::video
