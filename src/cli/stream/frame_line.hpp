// Frames on their way from a source through the GPU to where they go, each step on a thread of its own.
#pragma once

#include "cli/pipe/stages.hpp"
#include "cli/settings.hpp"
#include "cli/stream/stream_frame.hpp"
#include "cli/terminal/progress.hpp"

#include <cstddef>
#include <exception>
#include <functional>
#include <string>

namespace glproc::cli {

class FrameLine {
  public:
    /// Where frames come from.
    struct Source {
        NextFrame next;
        std::function<void()> stop;        ///< lets a next() that waits fail, from any thread; may be empty
        std::optional<std::size_t> frames; ///< how many will come, about, where that is known
        std::size_t waiting = 4;           ///< frames between two steps at most, and so in memory
    };

    FrameLine(const Settings& settings, Stages& stages);

    /// Until there are no more frames, or something fails; each step ends what the others have begun. The
    /// calling thread has the GPU.
    void run(const Source& source);

    /// How many were written.
    std::size_t frames() const { return frames_; }
    bool failed_to_write() const { return write_failure_ != nullptr; }
    bool failed_to_process() const { return process_failure_ != nullptr; }
    bool failed_to_read() const { return read_failure_ != nullptr; }
    bool failed() const { return failed_to_write() || failed_to_process() || failed_to_read(); }
    /// What failed first, seen from the end.
    void rethrow() const;

    /// What --timing and -v ask for.
    void say_done(const std::string& output, const std::string& work);

  private:
    class Queue;
    void read(const NextFrame& next, Queue& read);
    void process(Queue& read, Queue& computed);
    void write(const Source& source, Queue& read, Queue& computed);

    const Settings& settings_;
    Stages& stages_;
    Progress progress_;
    std::exception_ptr read_failure_;
    std::exception_ptr process_failure_;
    std::exception_ptr write_failure_;
    std::string device_;
    std::size_t frames_ = 0;
    double millions_ = 0;
};

} // namespace glproc::cli
