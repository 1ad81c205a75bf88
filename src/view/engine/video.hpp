// Moving pictures as the window plays them: from a file or a camera, frame by frame on the GPU.
#pragma once

#include "glproc/gl/context.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace glproc::view {

/// Where a frame stands in its video.
struct FrameTime {
    double seconds = 0;                     ///< since the video's beginning
    double lasts = 0;                       ///< seconds until the next one; 0 where that is not known
    std::optional<std::int64_t> frame = {}; ///< counted from 0, where the frames of the file were counted
};

struct VideoImage {
    GpuImage image;
    FrameTime time;
};

struct VideoFacts {
    double duration = 0;     ///< seconds; 0 of a camera
    double rate = 0;         ///< frames a second; 0 where it is not known
    double pixel_aspect = 0; ///< width of a pixel for its height; 0 where it is not known
    /// How many frames there are; nothing where they were not counted: of cameras and very large files.
    std::optional<std::int64_t> frames = {};
    std::string beyond_sdr =
        {}; ///< "HDR" or "wide colours" of what is not for a screen of standard range; empty of others
};

class Video {
  public:
    Video() = default;
    Video(const Video&) = delete;
    Video& operator=(const Video&) = delete;
    virtual ~Video() = default;

    /// The next frame, upright; nothing at the end. Throws Error(input).
    virtual std::optional<VideoImage> next(Context& gpu) = 0;
    /// Passes over a frame; false at the end.
    virtual bool skip() = 0;
    /// The next frame is then the one that is shown at this time.
    virtual void seek(double seconds) = 0;
    /// The next frame is then this one, where frames() counts them.
    virtual void seek_frame(std::int64_t number) = 0;
    /// Frames from the next one on are as `glproc video --to-sdr` makes them, or as the file has their
    /// values.
    virtual void show_as_sdr(bool on) = 0;

    const VideoFacts& facts() const { return facts_; }

  protected:
    VideoFacts facts_;
};

/// A video, or a camera such as /dev/video0. Null where this build plays none. Throws Error(input).
std::unique_ptr<Video> open_video(const std::string& path);

/// Whether the path names a camera.
bool is_camera(const std::string& path);

} // namespace glproc::view
