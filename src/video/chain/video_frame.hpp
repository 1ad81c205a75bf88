// One frame of `glproc video`, in steps that run on different threads one after another.
#pragma once

#include "job/stages.hpp"
#include "job/stream/stream_frame.hpp"
#include "glproc/gl/fence.hpp"
#include "glproc/kinds/hdr.hpp"
#include "video/chain/plane_chain.hpp"
#include "video/chain/video_chain.hpp"
#include "video/read/source.hpp"
#include "video/write/sink.hpp"

#include <cstdint>
#include <deque>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace glproc::video {

/// What all frames of a run have in common.
struct FrameWork {
    cli::Stages& stages;
    VideoChain chain;
    std::unique_ptr<FrameSource> source = {};
    std::unique_ptr<FrameSink> sink = {};
    PlaneChoice planes = {};          ///< the chain of planes is used instead of `chain` where there is one
    std::optional<ToSdr> to_sdr = {}; ///< before the chain
    std::optional<Density> density = {}; ///< of pictures that are written
    bool untouched = false;              ///< frames are written as they were read
    bool grey = false;                   ///< operations get frames of a video as luma alone
    bool timing = false;              ///< whether each stage ends when its work does; otherwise nothing waits
    double tick = 0;                  ///< seconds, of the times of frames
    std::int64_t uploaded = 0;        ///< frames so far
    std::int64_t first_time = 0;      ///< of the first frame
    std::deque<Fence> under_way = {}; ///< frames that are made, where none is fetched
    std::optional<Plan> plan = {};    ///< of `chain`, where frames get it and it has one
    bool needs_no_device = false;     ///< whether the processor alone can do all of it

    /// Sets the last two, for frames that operations get in this form.
    void plan_for(const Form& form);
    /// When a frame begins, seconds after the first one, which is asked for first.
    double seconds_of(std::int64_t number, const FrameData& frame);
};

/// A frame, its number of those that are read, from 0 on, and the frames that follow it.
struct FrameAmong {
    std::int64_t number = 0;
    std::vector<std::shared_ptr<FrameData>> frames; ///< its own first

    std::int64_t last() const { return number + static_cast<std::int64_t>(frames.size()) - 1; }
};

/// Reads so many frames ahead.
class LookAhead {
  public:
    using Next = std::function<std::optional<FrameData>()>;

    LookAhead(Next next, int frames) : next_(std::move(next)), ahead_(static_cast<std::size_t>(frames)) {}

    /// The next frame with as many after it as there are, up to the number asked for. Nothing at the end.
    /// Throws as `next`, once the frames before that were given.
    std::optional<FrameAmong> next();

  private:
    void fill();

    Next next_;
    std::size_t ahead_;
    std::deque<std::shared_ptr<FrameData>> frames_;
    std::int64_t number_ = 0;
    bool ended_ = false;
    std::exception_ptr failure_;
};

class VideoFrame final : public cli::StreamFrame {
  public:
    VideoFrame(FrameWork& work, FrameAmong among) : work_(work), among_(std::move(among)) {}

    bool is_done() const override { return work_.untouched; }
    bool needs_no_device(bool) const override { return work_.untouched || work_.needs_no_device; }
    std::optional<Plan> plan() const override { return work_.plan; }
    void process(Context* gpu) override;
    void write() override;
    double millions() const override;

  private:
    template <class Work>
    auto run_on(const Machine& machine, cli::Stage stage, Work work);
    FrameData& own() { return *among_.frames.front(); }
    void set_bits();
    void process_chain(const Machine& machine);
    void process_planes(const Machine& machine);
    void limit_lead(const Machine& machine);
    Picture take(const Machine& machine, FrameData& frame) const;
    bool give(const Machine& machine, Picture result);

    FrameWork& work_;
    FrameAmong among_;
};

} // namespace glproc::video
