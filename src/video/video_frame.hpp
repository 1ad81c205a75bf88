// One frame of `glproc video`, in steps that run on different threads one after another.
#pragma once

#include "cli/pipe/stages.hpp"
#include "cli/stream/stream_frame.hpp"
#include "glproc/op/op.hpp"
#include "video/sink.hpp"
#include "video/source.hpp"

#include <optional>
#include <string>
#include <variant>

namespace glproc::video {

/// What all frames of a run have in common.
struct FrameWork {
    cli::Stages& stages;
    const Operation& operation;
    FrameSource& source;
    FrameSink& sink;
    std::string name;               ///< of the input
    std::optional<Density> density; ///< of pictures that are written
    bool untouched;                 ///< frames are written as they were read
    bool timing;                    ///< whether each stage ends when its work does; otherwise nothing waits
};

class VideoFrame final : public cli::StreamFrame {
  public:
    VideoFrame(const FrameWork& work, FrameData data) : work_(work), data_(std::move(data)) {}

    void process(Context& gpu) override;
    void write() override;
    double millions() const override;

  private:
    template <class Work>
    auto run_on(Context& gpu, cli::Stage stage, Work work);
    GpuImage upload(Context& gpu) const;
    std::variant<Planes, Image> fetch(Context& gpu, const GpuImage& result);
    Planes fetch_planes(Context& gpu, const GpuImage& result, const FilmFormat& format);

    const FrameWork& work_;
    FrameData data_;
};

} // namespace glproc::video
