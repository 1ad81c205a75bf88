// Frames become packets: which encoder, with which settings, in which pixel format.
#pragma once

#include "cli/files/video_command.hpp"
#include "video/read/hdr.hpp"
#include "video/read/video_reader.hpp"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace glproc::video {

/// By the encoder's own name: "tune=video".
struct EncoderOption {
    std::string name;
    std::string value;
};

/// What is asked for sound that is not simply copied.
struct SoundSettings {
    std::optional<cli::VideoSound> codec;
    double gain = 1;
    double fade_in = 0; ///< seconds
    double fade_out = 0;
    int track = 0; ///< the only one that is kept, counted from 1; 0 for all
    /// Whether samples change.
    bool changes() const { return gain != 1 || fade_in > 0 || fade_out > 0; }
};

/// What a person asks for; what is not there has a default that depends on the codec.
struct EncodeSettings {
    std::string container; ///< the end of names of its files: "mkv"
    std::optional<cli::VideoCodec> codec;
    std::string encoder = {}; ///< by its name in libavcodec, of that codec; empty for the usual one
    std::optional<int> crf;
    std::string preset;
    std::optional<int> bits = {}; ///< of a sample
    bool only_video = false;
    std::vector<EncoderOption> options = {};
    SoundSettings sound = {};
};

/// What frames are to be as an encoder gets them.
struct VideoFormat : StoredForm {
    AVFieldOrder fields = AV_FIELD_UNKNOWN;
    HdrMetadata hdr = {};
    bool alpha = false;
    bool grey = false; ///< luma is all there is; an encoder's own format says whether it takes that
};

/// The same as 4:2:0 of limited range by the matrix that players guess from the size.
VideoFormat halved_chroma(VideoFormat format);

/// How the encoder of a codec is told what people ask for.
struct EncoderRow {
    cli::VideoCodec codec;
    AVCodecID id;
    std::string encoder;
    int crf = -1;             ///< by default; -1 where it has none
    std::string quality = {}; ///< the name of that option
    std::string preset = {};  ///< the name of that option; empty where it has none
    std::string usual = {};   ///< its default; empty for the encoder's own
    int presets = 0;          ///< numbers from 0 on; 0 where they have names
    bool named = false;       ///< by a person
};

const EncoderRow& usual_encoder(cli::VideoCodec codec);

/// One that a person names: options are those that it has.
EncoderRow named_encoder(const AVCodec& encoder, cli::VideoCodec codec);

/// Whether it takes frames in the memory of a device alone, as those of VA-API do.
bool takes_device_frames_only(const AVCodec& encoder);

/// Throws Error(usage) for a preset that it does not know.
void check_preset(const EncoderRow& row, const std::string& preset);

/// Of an encoder by its name in libavcodec, "h264_nvenc", which need not be there. Throws Error(usage) for
/// those of other codecs.
cli::VideoCodec codec_of_encoder(const std::string& name);

/// What libavcodec calls it.
AVCodecID id_of(cli::VideoCodec codec);

/// Whether a codec keeps alpha in files whose names end so.
bool holds_alpha(cli::VideoCodec codec, const std::string& container);

/// Whether such files say of frames by the usual encoder that chroma lies anywhere but on the left.
bool holds_siting(cli::VideoCodec codec, const std::string& container);

/// SVT-AV1 waits for ever where it is closed without being told of the end, and for the end where it has got
/// no frame.
struct EncoderFree {
    void operator()(AVCodecContext* context) const;

    std::int64_t frames = 0; ///< that it has got
};

class Encoder {
  public:
    /// Throws Error(usage) for settings that the codec does not know and sizes that it does not take; `name`
    /// is the output's.
    Encoder(cli::VideoCodec codec, const EncodeSettings& settings, VideoFormat format, bool global_header,
            const std::string& name);

    /// The format of the frames that it takes: the one it was asked for, or what comes nearest.
    const VideoFormat& format() const { return format_; }
    const AVCodecContext& context() const { return *codec_; }
    /// What is lost by that, or empty.
    const std::string& note() const { return note_; }

    /// Throws Error(operation). `take` gets what becomes of the planes of this frame and of earlier ones.
    void write(const FrameData& frame, const TakePacket& take);
    void finish(const TakePacket& take);

  private:
    void choose_pixels(const AVCodec& encoder, bool named);
    void check_size(cli::VideoCodec codec) const;
    void check_option(const EncoderOption& option) const;
    /// An encoder that may not be there, or not work here. False, with a note, where it does not.
    bool begin_named(cli::VideoCodec codec, const EncodeSettings& settings, const VideoFormat& format,
                     bool global_header);
    void begin(const AVCodec& encoder, const EncoderRow& row, const EncodeSettings& settings,
               bool global_header);
    void set_up(const EncodeSettings& settings, const EncoderRow& row, bool global_header);
    void set_usual_options(AvOptions& options, cli::VideoCodec codec) const;
    void send(const AVFrame* frame, const TakePacket& take);

    std::string name_;
    VideoFormat format_;
    AVPixelFormat pixels_ = AV_PIX_FMT_NONE;
    std::string note_;
    std::unique_ptr<AVCodecContext, EncoderFree> codec_;
    AvFrame frame_;
    AvPacket packet_;
    std::map<std::int64_t, std::int64_t> durations_; ///< by time, of frames inside the encoder
};

} // namespace glproc::video
