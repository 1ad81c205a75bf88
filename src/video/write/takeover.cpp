// What a video takes over from the one that it is made of, and what its container holds.
#include "video/write/video_writer.hpp"

#include "glproc/base/error.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

extern "C" {
#include <libavutil/timecode.h>
}

namespace glproc::video {

namespace {

/// "write mkv, or ": the first container that holds a codec, as words before another way.
std::string way_to_keep(AVCodecID codec) {
    for (const cli::VideoContainer& one : cli::video_containers) {
        const AVOutputFormat* format =
            av_guess_format(nullptr, fmt::format("x.{}", one.end).c_str(), nullptr);
        if (format != nullptr && holds_codec(*format, codec)) {
            return fmt::format("write {}, or ", one.end);
        }
    }
    return "";
}

} // namespace

void VideoWriter::fail_at_codec(cli::VideoCodec codec) const {
    std::vector<std::string_view> held;
    for (const auto& row : enum_rows<cli::VideoCodec>) {
        if (holds_codec(*muxer_->oformat, id_of(row.value))) {
            held.push_back(row.name);
        }
    }
    throw Error(ErrorCode::usage, fmt::format("{}: {} holds no {}", path_, end_, name_of(codec)),
                fmt::format("{}--codec {}", way_to_keep(id_of(codec)), fmt::join(held, " or ")));
}

/// All streams of the source in their order, that of the frames among them.
void VideoWriter::copy_streams(const VideoReader& source, const EncodeSettings& settings) {
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
            move_timecode(&video_->metadata, stream);
        } else if (settings.only_video || (stream.codecpar->codec_type == AVMEDIA_TYPE_AUDIO &&
                                           settings.sound.track > 0 && ++sounds != settings.sound.track)) {
            continue;
        } else if (stream.codecpar->codec_type == AVMEDIA_TYPE_AUDIO &&
                   !keeps_sound(stream, settings.sound)) {
            encode_sound(stream, settings.sound, source);
        } else if (may_copy(stream)) {
            AVStream& copy = new_stream();
            check_memory(avcodec_parameters_copy(copy.codecpar, stream.codecpar));
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
        throw Error(ErrorCode::usage, fmt::format("there is no sound track {}: {} has {}",
                                                  settings.sound.track, source.name(), sounds));
    }
    check_memory(av_dict_copy(&muxer_->metadata, from.metadata, 0));
    for (const char* ours : {"major_brand", "minor_version", "compatible_brands", "encoder"}) {
        check_memory(av_dict_set(&muxer_->metadata, ours, nullptr, 0));
    }
    move_timecode(&muxer_->metadata, *from.streams[source.stream()]);
    if (!settings.only_video) {
        copy_chapters(from);
    }
}

/// Sound and subtitles that the format cannot hold are an error, other data are left out with a note.
bool VideoWriter::may_copy(const AVStream& from) {
    const AVCodecParameters& codec = *from.codecpar;
    const std::string kind = kind_of(from).empty() ? "unknown" : kind_of(from);
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
    if (holds_codec(*muxer_->oformat, codec.codec_id)) {
        return true;
    }
    if (codec.codec_type == AVMEDIA_TYPE_AUDIO || codec.codec_type == AVMEDIA_TYPE_SUBTITLE) {
        throw Error(
            ErrorCode::usage,
            fmt::format("{}: {} holds no {} of {}", path_, end_, kind, avcodec_get_name(codec.codec_id)),
            codec.codec_type == AVMEDIA_TYPE_AUDIO
                ? "without --sound copy it is encoded again"
                : fmt::format("{}--only-video leaves out all but the frames", way_to_keep(codec.codec_id)));
    }
    const std::string of =
        codec.codec_id == AV_CODEC_ID_NONE ? "" : fmt::format(" of {}", avcodec_get_name(codec.codec_id));
    notes_.push_back(fmt::format("{}: {} holds no {}{}: it is left out", path_, end_, kind, of));
    return false;
}

/// Whether the packets of a stream of sound become those of the video as they are; otherwise they are encoded
/// again.
bool VideoWriter::keeps_sound(const AVStream& from, const SoundSettings& settings) const {
    if (settings.codec) {
        return *settings.codec == cli::VideoSound::copy;
    }
    return !settings.changes() && holds_codec(*muxer_->oformat, from.codecpar->codec_id);
}

void VideoWriter::encode_sound(const AVStream& from, const SoundSettings& settings,
                               const VideoReader& source) {
    if (settings.codec == cli::VideoSound::none) {
        return;
    }
    const cli::VideoSound codec =
        settings.codec.value_or(usual_sound(*muxer_->oformat, from.codecpar->codec_id));
    const double video_end = source.info().duration.value_or(0);
    const SoundPart part{.begin = shift_,
                         .length = span_.end       ? std::optional(*span_.end - span_.begin)
                                   : video_end > 0 ? std::optional(video_end - span_.begin)
                                                   : std::nullopt,
                         .cut = span_.begin > 0 || span_.end};
    AVStream& to = new_stream();
    describe(to, from, true);
    const bool global_header = (muxer_->oformat->flags & AVFMT_GLOBALHEADER) != 0;
    sounds_.back() = std::make_unique<SoundTrack>(from, codec, settings, part, global_header, path_);
    copies_.back() = &to;
    const AVCodecContext& encoder = sounds_.back()->encoder();
    if (!holds_codec(*muxer_->oformat, encoder.codec_id)) {
        throw Error(ErrorCode::usage, fmt::format("{}: {} holds no sound of {}", path_, end_, name_of(codec)),
                    fmt::format("--sound {} is what it holds",
                                name_of(usual_sound(*muxer_->oformat, AV_CODEC_ID_NONE))));
    }
    check_memory(avcodec_parameters_from_context(to.codecpar, &encoder));
    to.time_base = encoder.time_base;
    if (!settings.codec && !settings.changes()) {
        notes_.push_back(fmt::format("{}: {} holds no sound of {}: it is encoded again as {}", path_, end_,
                                     avcodec_get_name(from.codecpar->codec_id), name_of(codec)));
    }
}

void VideoWriter::describe(AVStream& stream, const AVStream& from, bool is_copy) const {
    check_memory(av_dict_copy(&stream.metadata, from.metadata, 0));
    check_memory(av_dict_set(&stream.metadata, "encoder", nullptr, 0));
    if (!is_copy) { // new frames are upright
        check_memory(av_dict_set(&stream.metadata, "rotate", nullptr, 0));
    }
    stream.disposition = from.disposition;
    for (const AVPacketSideData& data : side_data_of(from)) {
        const bool is_old =
            data.type == AV_PKT_DATA_CPB_PROPERTIES || (!is_copy && data.type == AV_PKT_DATA_DISPLAYMATRIX);
        const bool is_of_hdr = data.type == AV_PKT_DATA_MASTERING_DISPLAY_METADATA ||
                               data.type == AV_PKT_DATA_CONTENT_LIGHT_LEVEL ||
                               data.type == AV_PKT_DATA_DOVI_CONF;
        const bool is_sdr = !is_copy && encoder_->format().transfer == AVCOL_TRC_BT709;
        if (!is_old && !(is_of_hdr && is_sdr)) { // of the old encoding
            set_side_data(stream, data);
        }
    }
}

/// As a part begins later than the whole.
void VideoWriter::move_timecode(AVDictionary** metadata, const AVStream& video) const {
    const AVDictionaryEntry* said = av_dict_get(*metadata, "timecode", nullptr, 0);
    AVTimecode code{};
    if (said == nullptr || span_.begin <= 0 ||
        av_timecode_init_from_string(&code, video.avg_frame_rate, said->value, nullptr) < 0) {
        return;
    }
    std::array<char, AV_TIMECODE_STR_SIZE> text{};
    const auto frames = std::llround(span_.begin * av_q2d(video.avg_frame_rate));
    check_memory(av_dict_set(metadata, "timecode",
                             av_timecode_make_string(&code, text.data(), static_cast<int>(frames)), 0));
}

void VideoWriter::copy_chapters(const AVFormatContext& from) {
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
            const std::int64_t end = chapter.end - shift;
            copy->end =
                span_.end ? std::min(end, in_units(*span_.end - span_.begin, chapter.time_base)) : end;
            check_memory(av_dict_copy(&copy->metadata, chapter.metadata, 0));
            muxer_->chapters[muxer_->nb_chapters++] = copy;
        }
    }
}

} // namespace glproc::video
