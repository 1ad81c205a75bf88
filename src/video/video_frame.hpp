// One frame of `glproc video`, in steps that run on different threads one after another.
#pragma once

#include "glproc/gl/fence.hpp"
#include "glproc/kinds/hdr.hpp"
#include "glproc/op/op.hpp"
#include "job/stages.hpp"
#include "job/stream/stream_frame.hpp"
#include "video/ahead.hpp"
#include "video/film_chain.hpp"
#include "video/plane_chain.hpp"
#include "video/sink.hpp"
#include "video/source.hpp"

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <variant>

namespace glproc::video {

/// What all frames of a run have in common.
struct FrameWork {
    cli::Stages& stages;
    FilmChain& chain;
    FrameSource& source;
    FrameSink& sink;
    std::optional<Density> density;   ///< of pictures that are written
    bool untouched;                   ///< frames are written as they were read
    bool grey;                        ///< operations get luma alone
    int bits;                         ///< of a sample that is written; 0 where none is
    PlaneChain* planes;               ///< instead of `chain`: for planes without RGB; may be null
    std::optional<ToSdr> to_sdr;      ///< before the chain
    bool timing;                      ///< whether each stage ends when its work does; otherwise nothing waits
    double tick;                      ///< seconds, of the times of frames
    std::int64_t uploaded = 0;        ///< frames so far
    std::int64_t first_time = 0;      ///< of the first frame
    std::deque<Fence> under_way = {}; ///< frames that are made, where none is fetched
    std::optional<Plan> plan = {};    ///< of `chain`, where frames get it and it has one
    bool needs_no_device = false;     ///< whether the processor alone can do all of it

    /// Sets the last two, for frames that operations get in this form.
    void plan_for(const Form& form);
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
    std::variant<Planes, Image> give(const Machine& machine, Picture result);
    Planes give_planes(const Machine& machine, Picture result, const FilmFormat& format);

    FrameWork& work_;
    FrameAmong among_;
};

} // namespace glproc::video
