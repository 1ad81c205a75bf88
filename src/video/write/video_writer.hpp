// Writes videos: frames through an encoder, and what else another video has, packet by packet.
#pragma once

#include "video/write/encoder.hpp"
#include "video/write/output_file.hpp"
#include "video/write/sink.hpp"
#include "video/write/sound_track.hpp"

#include <memory>
#include <string>
#include <vector>

namespace glproc::video {

class VideoWriter final : public FrameSink {
  public:
    /// As write_video() has it.
    VideoWriter(const std::string& path, const VideoFormat& format, const EncodeSettings& settings,
                const VideoReader* source, const Span& span, PlanesPool& pool);
    VideoWriter(const VideoWriter&) = delete;
    VideoWriter& operator=(const VideoWriter&) = delete;
    ~VideoWriter() override;

    const VideoFormat* planes() const override { return &encoder_->format(); }
    /// Times are in the time base of the format, and must grow.
    void write(FrameData frame) override;
    void finish(std::vector<AvPacket> rest) override;
    std::vector<std::string> notes() const override { return notes_; }
    std::vector<std::string> late_notes() const override;

  private:
    void open_encoder(VideoFormat format, const EncodeSettings& settings);
    [[noreturn]] void fail_at_codec(cli::VideoCodec codec) const;
    void new_video();
    void copy_streams(const VideoReader& source, const EncodeSettings& settings);
    bool keeps_sound(const AVStream& from, const SoundSettings& settings) const;
    void encode_sound(const AVStream& from, const SoundSettings& settings, const VideoReader& source);
    bool is_mov() const;
    cli::VideoCodec usual_codec(const VideoFormat& format) const;
    bool may_copy(const AVStream& from);
    AVStream& new_stream();
    void describe(AVStream& stream, const AVStream& from, bool is_copy) const;
    void move_timecode(AVDictionary** metadata, const AVStream& video) const;
    void copy_chapters(const AVFormatContext& from);
    /// Of the source.
    void copy(AvPacket packet);
    void put(AVPacket& packet, const AVStream& stream, AVRational time_base);
    void check(int status) const;

    std::string path_;
    std::string end_; ///< of names of such files
    Span span_;
    PlanesPool& pool_;
    OutputFile file_;
    AVFormatContext* muxer_ = nullptr;
    std::unique_ptr<Encoder> encoder_;
    AVStream* video_ = nullptr;
    std::vector<AVStream*> copies_;                   ///< by the source's streams; null where one is left out
    std::vector<std::unique_ptr<SoundTrack>> sounds_; ///< of those copies that are encoded again
    std::vector<AVRational> time_bases_;              ///< of the source's streams
    std::vector<std::string> notes_;
    double shift_ = 0; ///< seconds taken from times of the source
};

} // namespace glproc::video
