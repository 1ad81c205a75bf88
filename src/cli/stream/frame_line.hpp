// Frames on their way from a source through the GPU to where they go, each step on a thread of its own.
#pragma once

#include "cli/device_choice.hpp"
#include "cli/settings.hpp"
#include "cli/terminal/progress.hpp"
#include "job/conveyor.hpp"
#include "job/stages.hpp"
#include "job/stream/stream_frame.hpp"

#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
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
        std::function<std::string(std::size_t number)> name_of =
            {}; ///< a frame, where it is not said by itself
    };

    FrameLine(const Arguments& arguments, const Settings& settings, Stages& stages);

    /// Until there are no more frames, or something fails; each step ends what the others have begun. The
    /// calling thread has the device, which is started for the first frame that is not left to the processor
    /// alone.
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
    using Frame = std::unique_ptr<StreamFrame>;

    std::optional<std::uint64_t> read(std::size_t number);
    void process_all(const Source& source);
    void process(Frame& frame, const Source& source, std::optional<Context>& context);
    bool goes_alone(const StreamFrame& frame, const Source& source);
    void start(const StreamFrame& frame, std::optional<Context>& context);
    void write(std::size_t number, const Source& source);
    void put(std::size_t number, Frame frame);
    Frame take(std::size_t number);
    void give_up(std::size_t behind, const Source& source);

    const Settings& settings_;
    Stages& stages_;
    OpCost cost_;
    DeviceChoice choice_;
    std::optional<bool> goes_alone_; ///< wherever frames can; decided with the first of them
    bool lacks_device_ = false;      ///< none could be started, so that no later frame tries it
    std::mutex mutex_;
    std::map<std::size_t, Frame> frames_between_; ///< two steps, by number
    Conveyor* conveyor_ = nullptr;
    NextFrame next_;
    Progress progress_;
    std::exception_ptr read_failure_;
    std::exception_ptr process_failure_;
    std::exception_ptr write_failure_;
    std::string device_ = std::string(no_device);
    std::size_t frames_ = 0;
    double millions_ = 0;
};

} // namespace glproc::cli
