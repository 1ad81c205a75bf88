// One picture of a stream, in steps that may run on different threads, one after another.
#pragma once

#include "cli/many/picture_job.hpp"
#include "cli/stream/frames.hpp"
#include "glproc/files/rows.hpp"
#include "glproc/op/plan.hpp"

#include <functional>
#include <memory>
#include <optional>

namespace glproc::cli {

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
    virtual double millions() const = 0; ///< of pixels
};

/// Reads and decodes the next frame; null at the end. Throws Error.
using NextFrame = std::function<std::unique_ptr<StreamFrame>()>;

/// Frames of PNM or PAM. `to` takes pictures, and is null for reports.
NextFrame picture_frames(const Call& call, ByteReader& reader, RowWriter* to);

/// Frames of YUV4MPEG2. Throws Error: input for a broken header, usage where the result or the flags do not
/// fit.
NextFrame film_frames(const Call& call, ByteReader& reader, RowWriter* to);

} // namespace glproc::cli
