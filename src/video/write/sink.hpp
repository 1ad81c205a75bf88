// Where frames go: a video, pictures by number, or one picture.
#pragma once

#include "glproc/files/series.hpp"
#include "job/channel_change.hpp"
#include "video/read/source.hpp"
#include "video/write/encoder.hpp"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace glproc::video {

/// What becomes of frames in files of a format.
struct FileForm {
    cli::ChannelChange channels = {};
    std::optional<Depth> depth = std::nullopt; ///< nothing: that of the frames
    ColourCurve curve = ColourCurve::unknown;  ///< of frames; where floats are on one, the file has them as
                                               ///< its format means them
};

/// Of results of this form for `path`. Throws Error(usage) where the format cannot hold them.
FileForm file_form(const std::string& path, const Form& result, ColourCurve curve, bool is_mask);
/// The same of an animation.
FileForm animation_form(const std::string& path, int channels);

/// A span of time of a video, in seconds since its beginning.
struct Span {
    double begin = 0;
    std::optional<double> end;
};

class FrameSink {
  public:
    FrameSink() = default;
    FrameSink(const FrameSink&) = delete;
    FrameSink& operator=(const FrameSink&) = delete;
    virtual ~FrameSink() = default;

    /// How the planes of frames are to lie; nothing where pictures are taken.
    virtual const VideoFormat* planes() const { return nullptr; }
    /// Whether frames are only made, and may stay on the GPU.
    virtual bool takes_nothing() const { return false; }
    /// Throws Error.
    virtual void write(FrameData frame) = 0;
    /// What came after the last frame, and the end. Throws Error.
    virtual void finish(std::vector<AvPacket> rest) = 0;
    /// What is odd about the result.
    virtual std::vector<std::string> notes() const { return {}; }
    /// The same, once it is finished.
    virtual std::vector<std::string> late_notes() const { return {}; }
};

/// `source` is what the video is made of, or null where it is new. Of that the sound, subtitles, attachments,
/// chapters and metadata are copied, as far as they lie in `span`, whose beginning is that of the new video.
/// Throws Error: usage for what the format cannot hold, and output. The file appears with finish(). The
/// memory of frames goes back to the pool.
std::unique_ptr<FrameSink> write_video(const std::string& path, const VideoFormat& format,
                                       const EncodeSettings& settings, const VideoReader* source,
                                       const Span& span, PlanesPool& pool);
/// One frame as a file, or each as a file of its own by the name that has a place for its number.
std::unique_ptr<FrameSink> write_pictures(const std::string& path, const std::optional<NumberedName>& each,
                                          const FileForm& form);
/// An animation that is played for ever; `time_base` is that of frames, in seconds, and `usual` what a frame
/// lasts that does not say it.
std::unique_ptr<FrameSink> write_animation(const std::string& path, const FileForm& form,
                                           AVRational time_base, FrameDelay usual);
/// To measure how fast frames are made; their memory goes back to the pool.
std::unique_ptr<FrameSink> write_nothing(PlanesPool& pool);

} // namespace glproc::video
