#include "video/write/sound_track.hpp"

#include "video/fail.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <new>
#include <string_view>

#include <fmt/format.h>

extern "C" {
#include <libavutil/audio_fifo.h>
#include <libavutil/channel_layout.h>
#include <libswresample/swresample.h>
}

namespace glproc::video {

namespace {

using cli::VideoSound;

/// Encoders of a codec, the best one first.
struct Row {
    VideoSound sound;
    AVCodecID id;
    std::array<const char*, 2> encoders;
    int kilobits; ///< a second and channel; 0 where nothing is lost
};

constexpr std::array rows{Row{VideoSound::aac, AV_CODEC_ID_AAC, {"aac", "libfdk_aac"}, 96},
                          Row{VideoSound::opus, AV_CODEC_ID_OPUS, {"libopus", nullptr}, 80},
                          Row{VideoSound::mp3, AV_CODEC_ID_MP3, {"libmp3lame", nullptr}, 96},
                          Row{VideoSound::ac3, AV_CODEC_ID_AC3, {"ac3", nullptr}, 112},
                          Row{VideoSound::flac, AV_CODEC_ID_FLAC, {"flac", nullptr}, 0},
                          Row{VideoSound::vorbis, AV_CODEC_ID_VORBIS, {"libvorbis", nullptr}, 80},
                          Row{VideoSound::pcm, AV_CODEC_ID_PCM_S16LE, {"pcm_s16le", nullptr}, 0}};

const Row& row_of(VideoSound sound) {
    return *std::ranges::find(rows, sound, &Row::sound);
}

const AVCodec* find_encoder(const Row& row) {
    for (const char* name : row.encoders) {
        if (const AVCodec* found = name == nullptr ? nullptr : avcodec_find_encoder_by_name(name)) {
            return found;
        }
    }
    return nullptr;
}

/// The least that is no lower, else the highest.
int nearest_rate(const AVCodec& encoder, int wanted) {
    std::vector<int> rates = sample_rates_of(encoder);
    if (rates.empty()) {
        return wanted;
    }
    std::sort(rates.begin(), rates.end());
    const auto found = std::lower_bound(rates.begin(), rates.end(), wanted);
    return found == rates.end() ? rates.back() : *found;
}

/// The one with as many bits, else the one with most: lossless codecs have several.
AVSampleFormat nearest_format(const AVCodec& encoder, AVSampleFormat wanted) {
    const std::vector<AVSampleFormat> formats = sample_formats_of(encoder);
    const int bytes = av_get_bytes_per_sample(wanted);
    const auto distance = [&](AVSampleFormat one) { return std::abs(av_get_bytes_per_sample(one) - bytes); };
    return formats.empty() ? AV_SAMPLE_FMT_FLTP
                           : *std::min_element(formats.begin(), formats.end(),
                                               [&](auto a, auto b) { return distance(a) < distance(b); });
}

/// Doubles, one plane a channel.
struct Samples {
    Samples(int channels, int count)
        : values(static_cast<std::size_t>(channels) * static_cast<std::size_t>(count)) {
        for (int i = 0; i < channels; ++i) {
            planes.push_back(values.data() + static_cast<std::ptrdiff_t>(i) * count);
        }
    }
    /// As libswresample has them.
    std::uint8_t** bytes() { return reinterpret_cast<std::uint8_t**>(planes.data()); }

    std::vector<double> values;
    std::vector<void*> planes;
};

} // namespace

VideoSound usual_sound(const AVOutputFormat& format, AVCodecID was) {
    for (const Row& row : rows) {
        const bool same = row.id == was || (row.sound == VideoSound::pcm && is_pcm(was));
        if (same && holds_codec(format, row.id) && find_encoder(row) != nullptr) {
            return row.sound;
        }
    }
    const bool is_webm = std::string_view(format.name) == "webm";
    return is_webm ? VideoSound::opus : VideoSound::aac;
}

SoundTrack::SoundTrack(const AVStream& from, VideoSound codec, const SoundSettings& settings,
                       const SoundPart& part, bool global_header, const std::string& name)
    : name_(name), settings_(settings), part_(part), decoded_(make_frame()), coded_(make_packet()) {
    const AVCodec* decoder = avcodec_find_decoder(from.codecpar->codec_id);
    decoder_.reset(decoder == nullptr ? nullptr : avcodec_alloc_context3(decoder));
    if (decoder_) {
        decoder_->pkt_timebase = from.time_base;
    }
    if (!decoder_ || avcodec_parameters_to_context(decoder_.get(), from.codecpar) < 0 ||
        avcodec_open2(decoder_.get(), decoder, nullptr) < 0) {
        throw Error(
            ErrorCode::input,
            fmt::format("there is no decoder for its sound of {}", avcodec_get_name(from.codecpar->codec_id)),
            "--sound none leaves it out");
    }
    open_encoder(codec, global_header);
    waiting_ = check_memory(av_audio_fifo_alloc(AV_SAMPLE_FMT_DBLP, channels(), encoder_->sample_rate));
}

SoundTrack::~SoundTrack() {
    swr_free(&to_doubles_);
    swr_free(&to_encoder_);
    av_audio_fifo_free(waiting_);
}

void SoundTrack::open_encoder(VideoSound codec, bool global_header) {
    const Row& row = row_of(codec);
    const bool is_deep = av_get_bytes_per_sample(decoder_->sample_fmt) > 2;
    const AVCodec* encoder =
        codec == VideoSound::pcm && is_deep ? avcodec_find_encoder(AV_CODEC_ID_PCM_S24LE) : find_encoder(row);
    if (encoder == nullptr) {
        throw usage(fmt::format("this libavcodec cannot encode sound as {}: it has no {}", name_of(codec),
                                row.encoders.front()));
    }
    const int count = decoder_->ch_layout.nb_channels;
    AVChannelLayout usual{};
    av_channel_layout_default(&usual, count);
    // Opus knows surround by its usual order of speakers alone; two channels every codec has.
    const AVChannelLayout stereo = AV_CHANNEL_LAYOUT_STEREO;
    std::vector<const AVChannelLayout*> layouts{&usual, &stereo};
    if (decoder_->ch_layout.order != AV_CHANNEL_ORDER_UNSPEC) {
        layouts.insert(layouts.begin(), &decoder_->ch_layout);
    }
    int status = 0;
    for (const AVChannelLayout* layout : layouts) {
        encoder_.reset(check_memory(avcodec_alloc_context3(encoder)));
        encoder_->sample_rate = nearest_rate(*encoder, decoder_->sample_rate);
        encoder_->sample_fmt = nearest_format(*encoder, decoder_->sample_fmt);
        encoder_->bits_per_raw_sample = decoder_->bits_per_raw_sample;
        encoder_->time_base = {1, encoder_->sample_rate};
        encoder_->bit_rate = std::int64_t{1000} * row.kilobits * layout->nb_channels;
        encoder_->flags |= global_header ? AV_CODEC_FLAG_GLOBAL_HEADER : 0;
        check_memory(av_channel_layout_copy(&encoder_->ch_layout, layout));
        status = avcodec_open2(encoder_.get(), encoder, nullptr);
        if (status >= 0) {
            return;
        }
    }
    throw usage(
        fmt::format("{}: {} cannot encode its sound: {}", name_, encoder->name, av_error_text(status)),
        "--sound names another codec");
}

void SoundTrack::fail_to_convert() const {
    throw Error(ErrorCode::operation, fmt::format("{}: its sound cannot be converted", name_));
}

void SoundTrack::open_resampler(const AVFrame& frame) {
    const auto format = static_cast<AVSampleFormat>(frame.format);
    if (to_doubles_ != nullptr && format == format_ && frame.sample_rate == rate_) {
        return;
    }
    format_ = format;
    rate_ = frame.sample_rate;
    AVChannelLayout layout{};
    if (frame.ch_layout.order == AV_CHANNEL_ORDER_UNSPEC) {
        av_channel_layout_default(&layout, frame.ch_layout.nb_channels);
    } else {
        check_memory(av_channel_layout_copy(&layout, &frame.ch_layout));
    }
    swr_free(&to_doubles_);
    const int status =
        swr_alloc_set_opts2(&to_doubles_, &encoder_->ch_layout, AV_SAMPLE_FMT_DBLP, encoder_->sample_rate,
                            &layout, format, frame.sample_rate, 0, nullptr);
    const bool made = status >= 0 && swr_init(to_doubles_) >= 0;
    av_channel_layout_uninit(&layout);
    if (!made || (to_encoder_ == nullptr &&
                  (swr_alloc_set_opts2(&to_encoder_, &encoder_->ch_layout, encoder_->sample_fmt,
                                       encoder_->sample_rate, &encoder_->ch_layout, AV_SAMPLE_FMT_DBLP,
                                       encoder_->sample_rate, 0, nullptr) < 0 ||
                   swr_init(to_encoder_) < 0))) {
        fail_to_convert();
    }
}

void SoundTrack::write(const AVPacket* packet, const TakePacket& take) {
    if (avcodec_send_packet(decoder_.get(), packet) < 0) {
        damaged_ += packet == nullptr ? 0 : 1;
    }
    for (;;) {
        const int status = avcodec_receive_frame(decoder_.get(), decoded_.get());
        if (status == AVERROR(EAGAIN) || status == AVERROR_EOF) {
            break;
        }
        if (status < 0) {
            ++damaged_;
            break;
        }
        take_frame(*decoded_, take);
        av_frame_unref(decoded_.get());
    }
    if (packet == nullptr) {
        if (to_doubles_ != nullptr) {
            resample(nullptr, 0);
        }
        encode(1, take);
        send(nullptr, take);
    }
}

/// The samples of a frame that lie in the part.
void SoundTrack::take_frame(AVFrame& frame, const TakePacket& take) {
    open_resampler(frame);
    const double rate = frame.sample_rate;
    const double expected = begun_ + static_cast<double>(taken_) / encoder_->sample_rate;
    const std::int64_t time = frame.best_effort_timestamp;
    double at = time == AV_NOPTS_VALUE
                    ? expected
                    : static_cast<double>(time) * av_q2d(decoder_->pkt_timebase) - part_.begin;
    std::int64_t first = 0;
    std::int64_t end = frame.nb_samples;
    if (part_.cut) {
        first = std::clamp<std::int64_t>(std::llround(-at * rate), 0, end);
        end = part_.length ? std::clamp<std::int64_t>(std::llround((*part_.length - at) * rate), first, end)
                           : end;
    }
    at += static_cast<double>(first) / rate;
    if (first == end) {
        return;
    }
    if (!any_) {
        any_ = true;
        begun_ = at;
    } else {
        const double gap = at - expected - static_cast<double>(swr_get_delay(to_doubles_, 1000000)) / 1e6;
        constexpr double unheard = 0.05; // seconds: times of packets are rounded
        if (gap > unheard) {
            close_gap(gap, take);
        } else if (gap < -unheard) {
            first = std::min<std::int64_t>(end, first - std::llround(gap * rate));
        }
    }
    const int channels = frame.ch_layout.nb_channels;
    const bool planar = av_sample_fmt_is_planar(static_cast<AVSampleFormat>(frame.format)) != 0;
    const std::int64_t skipped =
        first * av_get_bytes_per_sample(static_cast<AVSampleFormat>(frame.format)) * (planar ? 1 : channels);
    std::vector<const std::uint8_t*> samples;
    for (int i = 0; i < (planar ? channels : 1); ++i) {
        samples.push_back(frame.extended_data[i] + skipped);
    }
    resample(samples.data(), static_cast<int>(end - first));
    encode(std::max(encoder_->frame_size, 1), take);
}

/// Silence, so that what follows stays with its frames. A second at a time: a few bytes can ask for hours.
void SoundTrack::close_gap(double seconds, const TakePacket& take) {
    constexpr double longest = 6 * 3600; // of all gaps
    silent_ += seconds;
    if (silent_ > longest) {
        throw Error(
            ErrorCode::input,
            fmt::format("{}: its sound has gaps of {:.0f} s, and at most {:.0f} are filled with silence",
                        name_, silent_, longest),
            "--sound none leaves it out; --from and --to take a part");
    }
    const std::vector<double> silence(static_cast<std::size_t>(encoder_->sample_rate));
    const std::vector<void*> planes(static_cast<std::size_t>(channels()),
                                    const_cast<double*>(silence.data())); // which are read
    for (auto left = static_cast<std::int64_t>(seconds * encoder_->sample_rate); left > 0;) {
        const int count = static_cast<int>(std::min<std::int64_t>(left, encoder_->sample_rate));
        add(planes, count);
        left -= count;
        encode(std::max(encoder_->frame_size, 1), take);
    }
}

/// To what waits for the encoder.
void SoundTrack::add(std::span<void* const> planes, int count) {
    if (av_audio_fifo_write(waiting_, const_cast<void**>(planes.data()), count) < count) {
        throw std::bad_alloc();
    }
    taken_ += count;
}

void SoundTrack::resample(const std::uint8_t** samples, int count) {
    const int most = std::max(swr_get_out_samples(to_doubles_, count), 1);
    Samples out(channels(), most);
    const int got = swr_convert(to_doubles_, out.bytes(), most, samples, count);
    if (got < 0) {
        fail_to_convert();
    }
    for (void* plane : out.planes) {
        fade(static_cast<double*>(plane), got);
    }
    add(out.planes, got);
}

/// Linear, as ffmpeg's afade has it with curve=tri.
void SoundTrack::fade(double* samples, int count) const {
    if (!settings_.changes()) {
        return;
    }
    for (int i = 0; i < count; ++i) {
        const double at = begun_ + static_cast<double>(taken_ + i) / encoder_->sample_rate;
        const double in = settings_.fade_in > 0 ? std::clamp(at / settings_.fade_in, 0.0, 1.0) : 1;
        const double out = settings_.fade_out > 0 && part_.length
                               ? std::clamp((*part_.length - at) / settings_.fade_out, 0.0, 1.0)
                               : 1;
        samples[i] *= settings_.gain * in * out;
    }
}

/// What waits, in frames of the encoder's size, as long as there are `least` samples of it.
void SoundTrack::encode(int least, const TakePacket& take) {
    constexpr int any_size = 1024;
    const int size = encoder_->frame_size > 0 ? encoder_->frame_size : any_size;
    while (av_audio_fifo_size(waiting_) >= least) {
        const int count = std::min(size, av_audio_fifo_size(waiting_));
        const AvFrame frame = make_frame();
        frame->format = encoder_->sample_fmt;
        frame->nb_samples = count;
        frame->sample_rate = encoder_->sample_rate;
        check_memory(av_channel_layout_copy(&frame->ch_layout, &encoder_->ch_layout));
        check_memory(av_frame_get_buffer(frame.get(), 0));
        Samples samples(channels(), count);
        if (av_audio_fifo_read(waiting_, samples.planes.data(), count) != count ||
            swr_convert(to_encoder_, frame->extended_data, count,
                        const_cast<const std::uint8_t**>(samples.bytes()), count) != count) {
            fail_to_convert();
        }
        frame->pts = std::llround(begun_ * encoder_->sample_rate) + sent_;
        sent_ += count;
        send(frame.get(), take);
    }
}

void SoundTrack::send(const AVFrame* frame, const TakePacket& take) {
    const int status = avcodec_send_frame(encoder_.get(), frame);
    take_packets(*encoder_, status, *coded_, name_ + ": encoding its sound failed", take);
}

} // namespace glproc::video
