#include "cli/stream/frame_line.hpp"

#include "cli/device.hpp"
#include "cli/terminal/printable.hpp"
#include "cli/terminal/terminal.hpp"
#include "glproc/base/counted.hpp"
#include "glproc/base/error.hpp"

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

#include <fmt/format.h>
#include <unistd.h>

namespace glproc::cli {

/// Frames from one thread to the next, a few at a time.
class FrameLine::Queue {
  public:
    explicit Queue(std::size_t most) : most_(most) {}

    /// False where nobody takes it any more.
    bool put(std::unique_ptr<StreamFrame> frame) {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [this] { return closed_ || frames_.size() < most_; });
        if (closed_) {
            return false;
        }
        frames_.push_back(std::move(frame));
        changed_.notify_all();
        return true;
    }

    /// Null once it is closed and empty.
    std::unique_ptr<StreamFrame> take() {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [this] { return closed_ || !frames_.empty(); });
        if (frames_.empty()) {
            return nullptr;
        }
        std::unique_ptr<StreamFrame> frame = std::move(frames_.front());
        frames_.pop_front();
        changed_.notify_all();
        return frame;
    }

    void close() {
        const std::lock_guard lock(mutex_);
        closed_ = true;
        changed_.notify_all();
    }

    void abandon() {
        const std::lock_guard lock(mutex_);
        closed_ = true;
        frames_.clear();
        changed_.notify_all();
    }

  private:
    const std::size_t most_;
    std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<std::unique_ptr<StreamFrame>> frames_;
    bool closed_ = false;
};

FrameLine::FrameLine(const Arguments& arguments, const Settings& settings, Stages& stages)
    : settings_(settings), stages_(stages), command_(arguments.command->name), choice_(arguments, settings), progress_(is_terminal(STDERR_FILENO) && !settings.quiet) {}

void FrameLine::run(const Source& source) {
    Queue read(source.waiting);
    Queue computed(source.waiting);
    std::thread reading([&] { this->read(source.next, read); });
    std::thread writing([&] { write(source, read, computed); });
    try {
        process(source, read, computed);
    } catch (...) {
        process_failure_ = std::current_exception();
        read.abandon();
        if (source.stop) {
            source.stop();
        }
    }
    computed.close();
    writing.join();
    read.abandon();
    reading.join();
    progress_.hide();
}

void FrameLine::read(const NextFrame& next, Queue& read) {
    try {
        while (std::unique_ptr<StreamFrame> frame = next()) {
            if (!read.put(std::move(frame))) {
                return;
            }
        }
    } catch (...) {
        read_failure_ = std::current_exception();
    }
    read.close();
}

void FrameLine::process(const Source& source, Queue& read, Queue& computed) {
    std::optional<Context> context;
    while (std::unique_ptr<StreamFrame> frame = read.take()) {
        if (!context && !frame->is_done() && !goes_alone(*frame, source)) {
            start(*frame, context);
        }
        frame->process(context ? &*context : nullptr);
        if (!computed.put(std::move(frame))) {
            break;
        }
    }
    if (context) {
        stages_.set(Stage::compile, context->compile_time());
        stages_.set(Stage::check, context->check_time());
    }
}

/// A device pays for many frames: without their number it is taken.
bool FrameLine::goes_alone(const StreamFrame& frame, const Source& source) {
    constexpr double most_megapixels = 50; // some operations have slow twins
    if (!goes_alone_) {
        JobSize job = job_size(command_, frame.millions(), frame.plan());
        job.megapixels *= static_cast<double>(source.frames.value_or(0));
        goes_alone_ = source.frames && job.megapixels <= most_megapixels && choice_.goes_alone(job);
    }
    return (*goes_alone_ && frame.needs_no_device(false)) || (lacks_device_ && frame.needs_no_device(true));
}

/// Where no device is to be had, the processor does the work if it can and nothing was said of a device.
void FrameLine::start(const StreamFrame& frame, std::optional<Context>& context) {
    try {
        stages_.run(Stage::context, [&] { context.emplace(settings_.context); });
    } catch (const Error& error) {
        if (error.code() != ErrorCode::no_context || !choice_.may_go_alone() || !frame.needs_no_device(true)) {
            throw;
        }
        lacks_device_ = true;
        return;
    }
    device_ = context->device().renderer;
    report_device(context->device(), settings_);
}

void FrameLine::write(const Source& source, Queue& read, Queue& computed) {
    try {
        while (std::unique_ptr<StreamFrame> frame = computed.take()) {
            frame->write();
            millions_ += frame->millions();
            ++frames_;
            const double seconds = stages_.total() / 1000;
            progress_.show(fmt::format("{}, {:.1f}/s", counted(frames_, "frame"),
                                       static_cast<double>(frames_) / seconds),
                           0, 1);
            if (source.frames && *source.frames > 0) {
                progress_.advance(
                    std::min(1.0, static_cast<double>(frames_) / static_cast<double>(*source.frames)));
            }
        }
    } catch (...) {
        write_failure_ = std::current_exception();
        if (source.stop) {
            source.stop();
        }
        read.abandon();
        computed.abandon();
    }
}

void FrameLine::rethrow() const {
    for (const std::exception_ptr& failure : {write_failure_, read_failure_, process_failure_}) {
        if (failure) {
            std::rethrow_exception(failure);
        }
    }
}

void FrameLine::say_done(const std::string& output, const std::string& work) {
    if (settings_.timing) {
        stages_.report(*settings_.timing, device_, millions_, "megapixels", frames_);
    }
    if (settings_.verbose || (is_terminal(STDERR_FILENO) && !settings_.quiet)) {
        const double seconds = stages_.total() / 1000;
        print_stderr(fmt::format("{}: {}, {}, {}, {:.3f} s, {:.1f} frames/s\n", printable_name(output),
                                 counted(frames_, "frame"), work, device_, seconds,
                                 static_cast<double>(frames_) / seconds));
    }
}

} // namespace glproc::cli
