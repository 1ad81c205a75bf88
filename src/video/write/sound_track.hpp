// Sound that is encoded again: packets of a stream in, packets of another codec, loudness or length out.
#pragma once

#include "video/av.hpp"
#include "video/write/encoder.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>

struct AVAudioFifo;
struct SwrContext;

namespace glproc::video {

/// Which part of a video its sound is wanted for.
struct SoundPart {
    double begin = 0;             ///< seconds, in the times of packets
    std::optional<double> length; ///< seconds, where it is known
    bool cut = false;             ///< samples outside are left out
};

/// What it is encoded as where nobody asks: as it was if `was` can be encoded and held, else what such files
/// usually have.
cli::VideoSound usual_sound(const AVOutputFormat& format, AVCodecID was);

class SoundTrack {
  public:
    /// Throws Error: usage for what cannot be encoded, and input for sound that cannot be decoded; `name` is
    /// the output's.
    SoundTrack(const AVStream& from, cli::VideoSound codec, const SoundSettings& settings,
               const SoundPart& part, bool global_header, const std::string& name);
    SoundTrack(const SoundTrack&) = delete;
    SoundTrack& operator=(const SoundTrack&) = delete;
    ~SoundTrack();

    const AVCodecContext& encoder() const { return *encoder_; }
    AVRational unit() const { return encoder_->time_base; }

    /// A packet of the source, null for the end of it. Sound that cannot be decoded becomes silence. Throws
    /// Error(operation).
    void write(const AVPacket* packet, const TakePacket& take);

    /// In how many packets something was broken.
    int damaged() const { return damaged_; }

  private:
    void open_encoder(cli::VideoSound codec, bool global_header);
    [[noreturn]] void fail_to_convert() const;
    void open_resampler(const AVFrame& frame);
    void take_frame(AVFrame& frame, const TakePacket& take);
    void close_gap(double seconds, const TakePacket& take);
    void add(std::span<void* const> planes, int count);
    void resample(const std::uint8_t** samples, int count);
    void fade(double* samples, int count) const;
    void encode(int least, const TakePacket& take);
    void send(const AVFrame* frame, const TakePacket& take);
    int channels() const { return encoder_->ch_layout.nb_channels; }

    std::string name_;
    SoundSettings settings_;
    SoundPart part_;
    AvCodec decoder_;
    AvCodec encoder_;
    SwrContext* to_doubles_ = nullptr; ///< at the encoder's rate, one plane a channel
    SwrContext* to_encoder_ = nullptr;
    AVAudioFifo* waiting_ = nullptr; ///< doubles
    AvFrame decoded_;
    AvPacket coded_;
    AVSampleFormat format_ = AV_SAMPLE_FMT_NONE; ///< of the last frame
    int rate_ = 0;                               ///< the same
    double silent_ = 0;                          ///< seconds of gaps that were filled
    std::int64_t taken_ = 0;                     ///< samples for the encoder, since the beginning
    std::int64_t sent_ = 0;                      ///< the same, those that it has
    double begun_ = 0;                           ///< seconds, of the first sample
    bool any_ = false;
    int damaged_ = 0;
};

} // namespace glproc::video
