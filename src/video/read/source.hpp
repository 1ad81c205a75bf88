// Where frames come from: a video, or pictures by number.
#pragma once

#include "cli/arguments.hpp"
#include "glproc/image/metadata.hpp"
#include "job/first_profile.hpp"
#include "video/read/numbered.hpp"
#include "video/read/selection.hpp"
#include "video/read/video_reader.hpp"

#include <algorithm>
#include <iterator>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace glproc::video {

/// The unit of the times of frames, in seconds, and how many frames there are a second, in the mean. 0 where
/// it is not known.
struct FrameClock {
    AVRational time_base{0, 1};
    AVRational rate{0, 1};
};

/// Memory of frames that are done, for those that come: it costs more to have than to fill.
class PlanesPool {
  public:
    Planes take();
    void give(Planes planes);

  private:
    std::mutex mutex_;
    std::vector<Planes> free_;
};

class FrameSource {
  public:
    FrameSource() = default;
    FrameSource(const FrameSource&) = delete;
    FrameSource& operator=(const FrameSource&) = delete;
    virtual ~FrameSource() = default;

    /// Of the pictures that operations get: one channel where no frame has colour.
    virtual Form form() const = 0;
    /// Width of their pixels for the height; 0 where it is not known.
    virtual AVRational pixel_aspect() { return reader()->info().upright_pixel_aspect(); }
    /// Nothing at the end. Throws Error(input).
    virtual std::optional<FrameData> next() = 0;
    /// About.
    virtual std::optional<std::size_t> count() const = 0;
    /// What is odd about it.
    virtual std::vector<std::string> notes() const { return {}; }
    /// The same, of what is only known once next() has given all there is.
    virtual std::vector<std::string> late_notes() const { return {}; }
    /// The video, where it is one.
    virtual VideoReader* reader() { return nullptr; }
    /// Of the frames that are given.
    virtual FrameClock clock() {
        return reader() == nullptr ? FrameClock{}
                                   : FrameClock{reader()->info().time_base, reader()->info().rate};
    }
    /// Packets of the video's other streams that came after its last frame.
    virtual std::vector<AvPacket> rest() {
        return reader() == nullptr ? std::vector<AvPacket>{} : reader()->take_packets();
    }
};

/// The aspect of pixels as the density of a picture, and the other way round; nothing for squares.
std::optional<Density> density_of(AVRational pixel_aspect);
AVRational pixel_aspect_of(const Metadata& metadata);

/// Throws Error.
std::unique_ptr<FrameSource> open_video(const std::string& path, const VideoOptions& options,
                                        const Selection& selection, PlanesPool& pool);

/// What frames hold: codes of sRGB, or where images go to images again what these hold in their files, with
/// the colours of sRGB.
struct FrameColours {
    cli::FirstProfile colours = cli::FirstProfile::srgb();
    Form form = {}; ///< of the first image
};
/// A video, or numbered images; `to_pictures` where each frame becomes a file.
FrameColours frame_colours(const std::string& path, bool to_pictures);

/// Other profiles are converted, which is said of the first image.
std::unique_ptr<FrameSource> open_pictures(const NumberedName& name, const VideoOptions& options,
                                           const Selection& selection, const FrameColours& frames);

/// A source of frames that are made of those of another, of a video.
class WrappedSource : public FrameSource {
  public:
    explicit WrappedSource(std::unique_ptr<FrameSource> source) : source_(std::move(source)) {}

    Form form() const override { return source_->form(); }
    std::optional<std::size_t> count() const override { return source_->count(); }
    std::vector<std::string> notes() const override { return source_->notes(); }
    std::vector<std::string> late_notes() const override { return source_->late_notes(); }
    VideoReader* reader() override { return source_->reader(); }
    FrameClock clock() override { return source_->clock(); }
    std::vector<AvPacket> rest() override {
        std::ranges::move(source_->rest(), std::back_inserter(packets_));
        return take_packets();
    }

  protected:
    /// The next frame; its packets wait for the frame that is given next.
    std::optional<FrameData> read() {
        std::optional<FrameData> frame = source_->next();
        if (frame) {
            std::ranges::move(std::exchange(frame->packets, {}), std::back_inserter(packets_));
        }
        return frame;
    }
    std::vector<AvPacket> take_packets() { return std::exchange(packets_, {}); }

  private:
    std::unique_ptr<FrameSource> source_;
    std::vector<AvPacket> packets_;
};

/// The frames of `source`, one of each, or one of each field and so twice as many, without the combs of
/// interlaced ones: the lines of one field stay, those of the other are computed. The field that comes first
/// is what each frame says of itself, or else the top one.
std::unique_ptr<FrameSource> without_fields(std::unique_ptr<FrameSource> source, bool each_field);

/// What was said of a frame, once more; null of null.
AvFrame same_properties(const AVFrame* properties);

/// `videos` are opened, whole, and at least one; each but the first begins where the frames of the one before
/// end. Throws Error(input) for frames that differ from those of the first, and, if there is to be sound, for
/// such sound. Subtitles that differ are left out, with a note.
std::unique_ptr<FrameSource> join_videos(std::vector<std::unique_ptr<FrameSource>> videos, bool sound,
                                         bool subtitles);

/// The frames of a video as these flags ask for them. Throws Error(usage) where they do not go with the
/// frames that are read.
std::unique_ptr<FrameSource> with_other_times(const cli::Arguments& arguments, const Selection& selection,
                                              std::unique_ptr<FrameSource> source);

} // namespace glproc::video
