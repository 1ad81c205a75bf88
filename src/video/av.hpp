// What libavformat, libavcodec and libavutil give and take back, as C++ has it.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <new>
#include <span>
#include <string>
#include <vector>

extern "C" {
#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
}

namespace glproc::video {

template <auto Free>
struct AvFree {
    template <class T>
    void operator()(T* object) const {
        Free(&object);
    }
};

using AvFrame = std::unique_ptr<AVFrame, AvFree<av_frame_free>>;
using AvPacket = std::unique_ptr<AVPacket, AvFree<av_packet_free>>;
using AvCodec = std::unique_ptr<AVCodecContext, AvFree<avcodec_free_context>>;
using AvIo = std::unique_ptr<AVIOContext, AvFree<avio_closep>>;

/// Closes the file as well where the context was given an open one.
struct AvInputFree {
    void operator()(AVFormatContext* context) const {
        const AvIo file((context->flags & AVFMT_FLAG_CUSTOM_IO) != 0 ? context->pb : nullptr);
        avformat_close_input(&context);
    }
};
using AvInput = std::unique_ptr<AVFormatContext, AvInputFree>;

/// A new, empty one. Throws std::bad_alloc.
AvFrame make_frame();
AvPacket make_packet();

/// Seconds as the nearest whole number of units.
std::int64_t in_units(double seconds, AVRational unit);

// What the libraries have called by other names since FFmpeg 5.1.

/// In units of its stream.
std::int64_t duration_of(const AVFrame& frame);
/// Whether it consists of two fields, and which of them was taken first; a frame that does not say begins
/// with the top one.
bool has_fields(const AVFrame& frame);
bool begins_with_top(const AVFrame& frame);
/// Says that it has none.
void make_progressive(AVFrame& frame);
/// What is said of a whole stream, such as how players turn it.
std::span<const AVPacketSideData> side_data_of(const AVStream& stream);
/// That of one type; empty where there is none.
std::span<const std::uint8_t> side_data_of(const AVStream& stream, AVPacketSideDataType type);
/// In place of one of its type. The parameters of a stream of FFmpeg 6.1 or later have them: set those first.
void set_side_data(AVStream& stream, const AVPacketSideData& data);
/// What a muxer hands to be written.
#if LIBAVFORMAT_VERSION_MAJOR >= 61
using MuxedByte = const std::uint8_t;
#else
using MuxedByte = std::uint8_t;
#endif
/// What an encoder takes; nothing where it does not say.
std::vector<AVPixelFormat> pixel_formats_of(const AVCodec& encoder);
std::vector<AVSampleFormat> sample_formats_of(const AVCodec& encoder);
std::vector<int> sample_rates_of(const AVCodec& encoder);

/// What metadata say under a name; empty where they have none.
std::string value_of(const AVDictionary* metadata, const char* key);
/// "sound", "subtitle"; empty where it is not known.
std::string kind_of(const AVStream& stream);

bool is_pcm(AVCodecID codec);

/// Whether files of a format hold a codec so that others can read it: MPEG-TS takes any, as data that nothing
/// plays.
bool holds_codec(const AVOutputFormat& format, AVCodecID codec);

/// Whether a stream is subtitles of text: the times of their packets say all of when they are shown, and may
/// be cut and moved.
bool is_text(const AVStream& stream);

/// Throws std::bad_alloc for the status of a function that fails for want of memory alone.
void check_memory(int status);
/// The same for an object that such a function made.
template <class T>
T* check_memory(T* object) {
    return object == nullptr ? throw std::bad_alloc() : object;
}

/// What an encoder has made of the frames that it got, `status` being its answer to the last one: each packet
/// goes to `take`. Throws Error(operation), `what` first.
using TakePacket = std::function<void(AVPacket&)>;
void take_packets(AVCodecContext& encoder, int status, AVPacket& packet, const std::string& what,
                  const TakePacket& take);

/// Options on their way to a function, which takes out those that it knows.
class AvOptions {
  public:
    AvOptions() = default;
    AvOptions(const AvOptions&) = delete;
    AvOptions& operator=(const AvOptions&) = delete;
    ~AvOptions() { av_dict_free(&options_); }

    /// Nothing where the value is empty.
    void set(const char* name, const std::string& value) {
        if (!value.empty()) {
            check_memory(av_dict_set(&options_, name, value.c_str(), 0));
        }
    }
    AVDictionary** get() { return &options_; }
    /// The name of one that was not taken, or empty.
    std::string left() const;

  private:
    AVDictionary* options_ = nullptr;
};

/// The first letter small, as our messages go on after a colon.
std::string av_error_text(int status);

/// From now on the libraries print nothing. What they would say is kept: the last error of each object.
void quiet_av();

/// What a library said last about an object, in one line, or empty; forgets it.
std::string take_av_message(const void* about);

} // namespace glproc::video
