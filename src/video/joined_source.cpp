#include "video/joined_source.hpp"

#include "cli/words/thesaurus.hpp"
#include "glproc/base/error.hpp"
#include "video/pixels.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <iterator>
#include <map>
#include <utility>

#include <fmt/format.h>

extern "C" {
#include <libavutil/pixdesc.h>
}

namespace glproc::video {

namespace {

[[noreturn]] void fail(const std::string& name, const std::string& what, const std::string& hint) {
    throw Error(ErrorCode::input, fmt::format("{}: {}", name, what), hint);
}

double start_of(const FilmReader& film) {
    const std::int64_t start = film.container().start_time;
    return start == AV_NOPTS_VALUE ? 0 : static_cast<double>(std::max<std::int64_t>(start, 0)) / AV_TIME_BASE;
}

bool have_same_codec(const AVCodecParameters& a, const AVCodecParameters& b) {
    return a.codec_id == b.codec_id && a.sample_rate == b.sample_rate &&
           a.ch_layout.nb_channels == b.ch_layout.nb_channels && a.extradata_size == b.extradata_size &&
           (a.extradata_size == 0 ||
            std::memcmp(a.extradata, b.extradata, static_cast<std::size_t>(a.extradata_size)) == 0);
}

/// The streams of one type, without that of the frames.
std::vector<int> streams_of(const FilmReader& film, AVMediaType type) {
    std::vector<int> found;
    for (unsigned i = 0; i < film.container().nb_streams; ++i) {
        const bool is_frames = static_cast<int>(i) == film.stream();
        if (!is_frames && film.container().streams[i]->codecpar->codec_type == type) {
            found.push_back(static_cast<int>(i));
        }
    }
    return found;
}

std::string frames_text(const FilmInfo& info) {
    return fmt::format("{}x{} of {}", info.form.width, info.form.height, av_get_pix_fmt_name(info.pixels));
}

/// The shape of a pixel that is shown; a film that does not say has squares.
double shape_of(const FilmInfo& info) {
    const AVRational aspect = info.upright_pixel_aspect();
    return aspect.num > 0 && aspect.den > 0 ? av_q2d(aspect) : 1;
}

bool is_rgb(const FilmInfo& info) {
    const AVPixFmtDescriptor* format = av_pix_fmt_desc_get(info.pixels);
    return format != nullptr && (format->flags & AV_PIX_FMT_FLAG_RGB) != 0;
}

/// The same curve for all that ITU-R defines as one, and for films that name none.
AVColorTransferCharacteristic curve_of(const FilmInfo& info) {
    switch (info.transfer) {
    case AVCOL_TRC_UNSPECIFIED:
    case AVCOL_TRC_SMPTE170M:
    case AVCOL_TRC_BT2020_10:
    case AVCOL_TRC_BT2020_12:
        return AVCOL_TRC_BT709;
    default:
        return info.transfer;
    }
}

/// Beside it, for what is made of it.
std::string name_beside(const FilmReader& film) {
    return std::filesystem::path(film.name()).replace_extension().string() + "-same.mkv";
}

std::string way_by_glproc(const FilmReader& film, const std::string& flags) {
    return fmt::format("bring it into the same form first: glproc video {} {}{}{}",
                       cli::shell_word(film.name()), cli::shell_word(name_beside(film)),
                       flags.empty() ? "" : " ", flags);
}

/// What glproc does not change: how much chroma there is, and how sound is sampled.
std::string way_by_ffmpeg(const FilmReader& film, const std::string& flags) {
    return fmt::format("bring it into the same form first: ffmpeg -i {} {} {}", cli::shell_word(film.name()),
                       flags, cli::shell_word(name_beside(film)));
}

/// Without a loss.
std::string way_to_layout(const FilmReader& film, const YcbcrForm& form) {
    return way_by_ffmpeg(film,
                         fmt::format("-pix_fmt {} -c:v ffv1 -c:a copy",
                                     av_get_pix_fmt_name(planar_format(form, false, film.has_alpha()))));
}

std::string way_to_depth(const FilmReader& film, int bits) {
    constexpr std::array usual{8, 10, 12}; // of encoders for playing
    const bool is_usual = std::find(usual.begin(), usual.end(), bits) != usual.end() && !is_rgb(film.info());
    return way_by_glproc(film, fmt::format("--depth {}{}", bits, is_usual ? "" : " --codec ffv1"));
}

/// AAC is what every encoder writes alike.
std::string way_to_sound(const FilmReader& first, const FilmReader& film, const AVCodecParameters& a,
                         const AVCodecParameters& b) {
    const bool is_sampled_alike =
        a.sample_rate == b.sample_rate && a.ch_layout.nb_channels == b.ch_layout.nb_channels;
    return a.codec_id != AV_CODEC_ID_AAC ? way_by_glproc(first, "--sound aac")
           : is_sampled_alike            ? way_by_glproc(film, "--sound aac")
                                         : way_by_ffmpeg(film, fmt::format("-c:v copy -c:a aac -ar {} -ac {}",
                                                                           a.sample_rate, a.ch_layout.nb_channels));
}

/// What brings a film into the form of the first, by what differs.
std::string way_to(const FilmReader& first, const FilmReader& film) {
    const FilmInfo& a = first.info();
    const FilmInfo& b = film.info();
    if (is_rgb(a) != is_rgb(b)) { // what glproc writes is in planes
        return way_by_glproc(is_rgb(a) ? first : film, "");
    }
    if (a.turn != b.turn) { // what it writes is upright
        return way_by_glproc(a.turn.is_upright() ? film : first, "");
    }
    if (a.form.bits != b.form.bits) {
        return way_to_depth(film, a.form.bits);
    }
    if (a.form.across != b.form.across || a.form.down != b.form.down) {
        return way_to_layout(film, a.form);
    }
    if (a.form.width != b.form.width || a.form.height != b.form.height) {
        return way_by_glproc(film, fmt::format("resize {}x{} --fit then pad --size {}x{}", a.form.width,
                                               a.form.height, a.form.width, a.form.height));
    }
    if (a.code.matrix != b.code.matrix || a.code.range != b.code.range) {
        return way_by_glproc(
            film, fmt::format("--to-matrix {} --to-range {}", name_of(a.code.matrix), name_of(a.code.range)));
    }
    if (!a.has_usual_colours() || !b.has_usual_colours()) {
        return way_by_glproc(a.has_usual_colours() ? film : first, "--to-sdr");
    }
    if (first.has_alpha() != film.has_alpha()) {
        return way_by_glproc(first.has_alpha() ? first : film, "convert --alpha flatten:black");
    }
    YcbcrForm all_chroma = a.form; // that between pixels lies elsewhere in the other; its turn comes next
    all_chroma.across = all_chroma.down = 1;
    return way_to_layout(first, all_chroma);
}

/// Shapes are fractions, and nobody sees a hundredth.
bool have_same_shape(const FilmInfo& a, const FilmInfo& b) {
    constexpr double least_seen = 0.01;
    return std::abs(shape_of(a) / shape_of(b) - 1) < least_seen;
}

/// Only then does it keep its proportions when it is stretched.
bool says_shape(const FilmInfo& info) {
    return info.upright_pixel_aspect().num > 0;
}

std::string way_to_shape(const FilmReader& film, double shape) {
    const FilmInfo& info = film.info();
    const auto whole = [](double samples, int of_chroma) { return std::max(std::lround(samples / of_chroma), 1L) * of_chroma; };
    return fmt::format("bring it into the same shape first: glproc video {} {} resize {}x{}",
                       cli::shell_word(film.name()), cli::shell_word(name_beside(film)),
                       whole(info.picture_form().width * shape_of(info) / shape, info.form.across),
                       whole(info.picture_form().height, info.form.down));
}

void check_frames(const FilmReader& first, const FilmReader& film) {
    const FilmInfo& a = first.info();
    const FilmInfo& b = film.info();
    if (!have_same_shape(a, b)) {
        fail(film.name(),
             fmt::format("its pixels are {:.4g} times as wide as high, but those of {} {:.4g} times",
                         shape_of(b), first.name(), shape_of(a)),
             says_shape(b) ? way_to_shape(film, shape_of(a)) : way_to_shape(first, shape_of(b)));
    }
    const bool same = a.form == b.form && a.code.matrix == b.code.matrix && a.code.range == b.code.range &&
                      a.turn == b.turn && first.has_alpha() == film.has_alpha() && curve_of(a) == curve_of(b);
    if (!same) {
        fail(film.name(),
             frames_text(a) == frames_text(b)
                 ? fmt::format("its colours or orientation differ from those of {}", first.name())
                 : fmt::format("{}, but {} is {}", frames_text(b), first.name(), frames_text(a)),
             way_to(first, film));
    }
}

class JoinedSource final : public FrameSource {
  public:
    JoinedSource(std::vector<std::unique_ptr<FrameSource>> films, bool sound, bool subtitles)
        : films_(std::move(films)) {
        for (const auto& source : films_) {
            const FilmReader& film = *source->film();
            check_frames(first(), film);
            maps_.emplace_back(film.container().nb_streams, -1);
            if (sound) {
                map_sound(film);
            }
            if (subtitles) {
                map_subtitles(film);
            }
        }
        start_ = start_of(first());
    }

    Form form() const override {
        Form form = films_.front()->form();
        for (const auto& film : films_) { // a grey one may stand beside others
            form.channels = std::max(form.channels, film->form().channels);
        }
        return form;
    }
    AVRational pixel_aspect() const override { return films_.front()->pixel_aspect(); }
    FilmReader* film() override { return films_.front()->film(); }

    std::optional<FrameData> next() override {
        std::optional<FrameData> frame = films_[at_]->next();
        while (!frame && at_ + 1 < films_.size()) {
            keep_packets(films_[at_]->film()->take_packets(), true);
            offset_ = end_;
            ++at_;
            frame = films_[at_]->next();
        }
        if (!frame) {
            return std::nullopt;
        }
        if (at_ != started_) { // its first frame follows the last one of the film before
            started_ = at_;
            start_ = static_cast<double>(frame->time) * av_q2d(films_[at_]->film()->info().time_base);
        }
        FilmReader& now = *films_[at_]->film();
        const AVRational from = now.info().time_base;
        const AVRational to = first().info().time_base;
        const double seconds = static_cast<double>(frame->time) * av_q2d(from) - start_;
        if (at_ > 0) {
            frame->time = in_units(start_of(first()) + offset_ + seconds, to);
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
        keep_packets(films_[at_]->film()->take_packets(), at_ + 1 < films_.size());
        return std::exchange(packets_, {});
    }

    std::optional<std::size_t> count() const override {
        std::size_t all = 0;
        for (const auto& film : films_) {
            const std::optional<std::size_t> count = film->count();
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
        for (const auto& film : films_) {
            std::ranges::copy(((*film).*notes)(), std::back_inserter(all));
        }
        return all;
    }

    FilmReader& first() const { return *films_.front()->film(); }

    /// Which stream of the first film each stream of sound of this one goes on; -1 for all others.
    void map_sound(const FilmReader& film) {
        const std::vector<int> ours = streams_of(first(), AVMEDIA_TYPE_AUDIO);
        const std::vector<int> theirs = streams_of(film, AVMEDIA_TYPE_AUDIO);
        std::vector<int>& map = maps_.back();
        if (ours.size() != theirs.size()) {
            fail(film.name(), fmt::format("it has {} sound tracks, but {} has {}", theirs.size(), first().name(), ours.size()),
                 "--only-video joins the frames alone");
        }
        for (std::size_t i = 0; i < ours.size(); ++i) {
            if (!have_same_codec(*first().container().streams[ours[i]]->codecpar,
                                 *film.container().streams[theirs[i]]->codecpar)) {
                fail(film.name(), fmt::format("its sound is not encoded as that of {}", first().name()),
                     way_to_sound(first(), film, *first().container().streams[ours[i]]->codecpar,
                                  *film.container().streams[theirs[i]]->codecpar));
            }
            map[static_cast<std::size_t>(theirs[i])] = ours[i];
        }
    }

    /// The same of subtitles of text, whose times are those of their packets. Others are left out, which is
    /// no reason to refuse.
    void map_subtitles(const FilmReader& film) {
        const std::vector<int> ours = streams_of(first(), AVMEDIA_TYPE_SUBTITLE);
        const std::vector<int> theirs = streams_of(film, AVMEDIA_TYPE_SUBTITLE);
        std::size_t joined = 0;
        for (std::size_t i = 0; i < std::min(ours.size(), theirs.size()); ++i) {
            const AVStream& to = *first().container().streams[ours[i]];
            const AVStream& from = *film.container().streams[theirs[i]];
            if (is_text(to) && have_same_codec(*to.codecpar, *from.codecpar)) {
                maps_.back()[static_cast<std::size_t>(theirs[i])] = ours[i];
                ++joined;
            }
        }
        if (&film != &first() && joined < theirs.size()) {
            const std::string what = joined == 0 ? "its subtitles are"
                                                 : fmt::format("{} of its {} subtitle tracks are",
                                                               theirs.size() - joined, theirs.size());
            left_out_.push_back(
                fmt::format("{}: {} left out: {} has none like them", film.name(), what, first().name()));
        }
    }

    /// As packets of the first film. What sounds longer than its frames would sound into the next film.
    void keep_packets(std::vector<AvPacket> packets, bool last) {
        const FilmReader& now = *films_[at_]->film();
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
            const bool is_start = at_ > 0 && packet->pts != AV_NOPTS_VALUE && seconds < 0; // AAC begins with silence before it
            if (is_start) {
                continue;
            }
            if (last && packet->pts != AV_NOPTS_VALUE && offset_ + seconds >= end_) {
                continue;
            }
            if (at_ > 0) {
                const std::int64_t shift = in_units(start_of(first()) + offset_ - start_, to);
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
                continue; // of the sound of two films at once, the first one's is kept
            }
            written = packet->dts != AV_NOPTS_VALUE ? packet->dts : written;
            packets_.push_back(std::move(packet));
        }
    }

    std::vector<std::unique_ptr<FrameSource>> films_;
    std::vector<std::vector<int>> maps_;
    std::vector<AvPacket> packets_; ///< not yet given
    std::vector<std::string> left_out_;   ///< a line for each film of which something is
    std::map<int, std::int64_t> written_; ///< the last time of decoding of each stream of sound
    std::size_t at_ = 0;
    std::size_t started_ = 0; ///< the film that start_ is of
    double start_ = 0;        ///< what begins this film in its own times, seconds
    double offset_ = 0; ///< when this film begins, seconds
    double end_ = 0;    ///< when its last frame ends
};

} // namespace

std::unique_ptr<FrameSource> join_films(std::vector<std::unique_ptr<FrameSource>> films, bool sound,
                                        bool subtitles) {
    return std::make_unique<JoinedSource>(std::move(films), sound, subtitles);
}

} // namespace glproc::video
