// One picture of a stream, in steps that may run on different threads, one after another.
#pragma once

#include "glproc/files/rows.hpp"
#include "glproc/kinds/ycbcr.hpp"
#include "glproc/op/plan.hpp"
#include "job/picture/picture_job.hpp"
#include "job/stream/frames.hpp"

#include <functional>
#include <memory>
#include <optional>

namespace glproc::job {

class StreamFrame {
  public:
    StreamFrame() = default;
    StreamFrame(const StreamFrame&) = delete;
    StreamFrame& operator=(const StreamFrame&) = delete;
    virtual ~StreamFrame() = default;

    /// Whether nothing is to be done with its pixels that anyone could do faster.
    virtual bool is_done() const { return false; }
    /// Whether the processor alone can do it; `at_need` as in Operation::by_processor().
    virtual bool needs_no_device(bool at_need) const = 0;
    /// What becomes of it, where that is known.
    virtual std::optional<Plan> plan() const { return std::nullopt; }
    /// On the device; null: by the processor alone.
    virtual void process(Context* gpu) = 0;
    virtual void write() = 0;
    /// After that: a report, and why the call has failed although it is there; or empty.
    virtual const std::string& text() const { return nothing(); }
    virtual const std::string& failure() const { return nothing(); }
    virtual double millions() const = 0; ///< of pixels

  private:
    static const std::string& nothing() {
        static const std::string empty;
        return empty;
    }
};

/// Reads and decodes the next frame; null at the end. Throws Error.
using NextFrame = std::function<std::unique_ptr<StreamFrame>()>;

/// Frames of PNM or PAM. `outputs` are those of each, `to` takes images, and is null for reports.
NextFrame picture_frames(const Call& call, std::function<Outputs()> outputs, ByteReader& reader,
                         RowWriter* to);

/// What the codes of a video mean, where its header is not to say it.
struct VideoTold {
    std::optional<YcbcrMatrix> matrix = {};
    std::optional<YcbcrRange> range = {};
    std::function<void()> check_output = {}; ///< of frames that are written: throws where that cannot be
};

/// Frames of YUV4MPEG2. Throws Error: input for a broken header, usage where the result does not fit.
NextFrame video_frames(const Call& call, const VideoTold& told, std::optional<ReportOutput> report,
                      ByteReader& reader, RowWriter* to);

} // namespace glproc::job
