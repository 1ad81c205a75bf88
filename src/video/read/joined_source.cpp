#include "video/read/source.hpp"

#include "glproc/base/counted.hpp"
#include "video/fail.hpp"
#include "video/read/joined_check.hpp"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <map>
#include <utility>

#include <fmt/format.h>

namespace glproc::video {

namespace {

bool have_same_codec(const AVCodecParameters& a, const AVCodecParameters& b) {
    return a.codec_id == b.codec_id && a.sample_rate == b.sample_rate &&
           a.ch_layout.nb_channels == b.ch_layout.nb_channels && a.extradata_size == b.extradata_size &&
           (a.extradata_size == 0 ||
            std::memcmp(a.extradata, b.extradata, static_cast<std::size_t>(a.extradata_size)) == 0);
}

/// The streams of one type, without that of the frames.
std::vector<int> streams_of(const VideoReader& video, AVMediaType type) {
    std::vector<int> found;
    for (unsigned i = 0; i < video.container().nb_streams; ++i) {
        const bool is_frames = static_cast<int>(i) == video.stream();
        if (!is_frames && video.container().streams[i]->codecpar->codec_type == type) {
            found.push_back(static_cast<int>(i));
        }
    }
    return found;
}

class JoinedSource final : public FrameSource {
  public:
    JoinedSource(std::vector<std::unique_ptr<FrameSource>> videos, bool sound, bool subtitles)
        : videos_(std::move(videos)) {
        for (const auto& source : videos_) {
            const VideoReader& video = *source->reader();
            check_frames(first(), video);
            maps_.emplace_back(video.container().nb_streams, -1);
            if (sound) {
                map_sound(video);
            }
            if (subtitles) {
                map_subtitles(video);
            }
        }
        start_ = first().start();
    }

    Form form() const override {
        Form form = videos_.front()->form();
        for (const auto& video : videos_) { // a grey one may stand beside others
            form.channels = std::max(form.channels, video->form().channels);
        }
        return form;
    }
    VideoReader* reader() override { return videos_.front()->reader(); }

    std::optional<FrameData> next() override {
        std::optional<FrameData> frame = videos_[at_]->next();
        while (!frame && at_ + 1 < videos_.size()) {
            keep_packets(videos_[at_]->reader()->take_packets(), true);
            offset_ = end_;
            ++at_;
            frame = videos_[at_]->next();
        }
        if (!frame) {
            return std::nullopt;
        }
        if (at_ != started_) { // its first frame follows the last one of the video before
            started_ = at_;
            start_ = static_cast<double>(frame->time) * av_q2d(videos_[at_]->reader()->info().time_base);
        }
        VideoReader& now = *videos_[at_]->reader();
        const AVRational from = now.info().time_base;
        const AVRational to = first().info().time_base;
        const double seconds = static_cast<double>(frame->time) * av_q2d(from) - start_;
        if (at_ > 0) {
            frame->time = in_units(first().start() + offset_ + seconds, to);
            frame->duration = av_rescale_q(frame->duration, from, to);
        }
        const double rate = now.info().frames_per_second();
        const double lasts = frame->duration > 0 ? static_cast<double>(frame->duration) * av_q2d(to)
                             : rate > 0          ? 1 / rate
                                                 : 0;
        end_ = offset_ + seconds + lasts;
        keep_packets(std::move(frame->packets), false);
        frame->packets = std::exchange(packets_, {});
        return frame;
    }

    std::vector<AvPacket> rest() override {
        keep_packets(videos_[at_]->reader()->take_packets(), at_ + 1 < videos_.size());
        return std::exchange(packets_, {});
    }

    std::optional<std::size_t> count() const override {
        std::size_t all = 0;
        for (const auto& video : videos_) {
            const std::optional<std::size_t> count = video->count();
            if (!count) {
                return std::nullopt;
            }
            all += *count;
        }
        return all;
    }

    std::vector<std::string> notes() const override {
        std::vector<std::string> all = notes_of(&FrameSource::notes);
        std::ranges::copy(left_out_, std::back_inserter(all));
        return all;
    }
    std::vector<std::string> late_notes() const override { return notes_of(&FrameSource::late_notes); }

  private:
    std::vector<std::string> notes_of(std::vector<std::string> (FrameSource::*notes)() const) const {
        std::vector<std::string> all;
        for (const auto& video : videos_) {
            std::ranges::copy(((*video).*notes)(), std::back_inserter(all));
        }
        return all;
    }

    VideoReader& first() const { return *videos_.front()->reader(); }

    /// Which stream of the first video each stream of sound of this one goes on; -1 for all others.
    void map_sound(const VideoReader& video) {
        const std::vector<int> ours = streams_of(first(), AVMEDIA_TYPE_AUDIO);
        const std::vector<int> theirs = streams_of(video, AVMEDIA_TYPE_AUDIO);
        std::vector<int>& map = maps_.back();
        if (ours.size() != theirs.size()) {
            fail_input(video.name(),
                       fmt::format("it has {}, but {} has {}", counted(theirs.size(), "sound track"),
                                   first().name(), ours.size()),
                       "--only-video joins the frames alone");
        }
        for (std::size_t i = 0; i < ours.size(); ++i) {
            if (!have_same_codec(*first().container().streams[ours[i]]->codecpar,
                                 *video.container().streams[theirs[i]]->codecpar)) {
                fail_input(video.name(),
                           fmt::format("its sound is not encoded as that of {}", first().name()),
                           way_to_sound(first(), video, *first().container().streams[ours[i]]->codecpar,
                                        *video.container().streams[theirs[i]]->codecpar));
            }
            map[static_cast<std::size_t>(theirs[i])] = ours[i];
        }
    }

    /// The same of subtitles of text, whose times are those of their packets. Others are left out, which is
    /// no reason to refuse.
    void map_subtitles(const VideoReader& video) {
        const std::vector<int> ours = streams_of(first(), AVMEDIA_TYPE_SUBTITLE);
        const std::vector<int> theirs = streams_of(video, AVMEDIA_TYPE_SUBTITLE);
        std::size_t joined = 0;
        for (std::size_t i = 0; i < std::min(ours.size(), theirs.size()); ++i) {
            const AVStream& to = *first().container().streams[ours[i]];
            const AVStream& from = *video.container().streams[theirs[i]];
            if (is_text(to) && have_same_codec(*to.codecpar, *from.codecpar)) {
                maps_.back()[static_cast<std::size_t>(theirs[i])] = ours[i];
                ++joined;
            }
        }
        if (&video != &first() && joined < theirs.size()) {
            const std::string what =
                joined == 0 ? "its subtitles are"
                            : fmt::format("{} of its {} subtitle tracks {}", theirs.size() - joined,
                                          theirs.size(), theirs.size() - joined == 1 ? "is" : "are");
            left_out_.push_back(
                fmt::format("{}: {} left out: {} has none like them", video.name(), what, first().name()));
        }
    }

    /// As packets of the first video. What sounds longer than its frames would sound into the next video.
    void keep_packets(std::vector<AvPacket> packets, bool last) {
        const VideoReader& now = *videos_[at_]->reader();
        for (AvPacket& packet : packets) {
            const int stream = maps_[at_].at(static_cast<std::size_t>(packet->stream_index));
            if (at_ == 0 && stream < 0) { // subtitles and such
                packets_.push_back(std::move(packet));
                continue;
            }
            if (stream < 0) {
                continue;
            }
            const AVRational from = now.container().streams[packet->stream_index]->time_base;
            const AVRational to = first().container().streams[stream]->time_base;
            const double seconds = static_cast<double>(packet->pts) * av_q2d(from) - start_;
            const bool is_start =
                at_ > 0 && packet->pts != AV_NOPTS_VALUE && seconds < 0; // AAC begins with silence before it
            if (is_start) {
                continue;
            }
            if (last && packet->pts != AV_NOPTS_VALUE && offset_ + seconds >= end_) {
                continue;
            }
            if (at_ > 0) {
                const std::int64_t shift = in_units(first().start() + offset_ - start_, to);
                av_packet_rescale_ts(packet.get(), from, to);
                packet->pts += packet->pts == AV_NOPTS_VALUE ? 0 : shift;
                packet->dts += packet->dts == AV_NOPTS_VALUE ? 0 : shift;
                packet->stream_index = stream;
            }
            if (first().container().streams[stream]->codecpar->codec_type ==
                AVMEDIA_TYPE_SUBTITLE) { // two may be shown at once
                packets_.push_back(std::move(packet));
                continue;
            }
            std::int64_t& written = written_.try_emplace(stream, AV_NOPTS_VALUE).first->second;
            if (packet->dts != AV_NOPTS_VALUE && written != AV_NOPTS_VALUE && packet->dts <= written) {
                continue; // of the sound of two videos at once, the first one's is kept
            }
            written = packet->dts != AV_NOPTS_VALUE ? packet->dts : written;
            packets_.push_back(std::move(packet));
        }
    }

    std::vector<std::unique_ptr<FrameSource>> videos_;
    std::vector<std::vector<int>> maps_;
    std::vector<AvPacket> packets_;       ///< not yet given
    std::vector<std::string> left_out_;   ///< a line for each video of which something is
    std::map<int, std::int64_t> written_; ///< the last time of decoding of each stream of sound
    std::size_t at_ = 0;
    std::size_t started_ = 0; ///< the video that start_ is of
    double start_ = 0;        ///< what begins this video in its own times, seconds
    double offset_ = 0;       ///< when this video begins, seconds
    double end_ = 0;          ///< when its last frame ends
};

} // namespace

std::unique_ptr<FrameSource> join_videos(std::vector<std::unique_ptr<FrameSource>> videos, bool sound,
                                         bool subtitles) {
    return std::make_unique<JoinedSource>(std::move(videos), sound, subtitles);
}

} // namespace glproc::video
