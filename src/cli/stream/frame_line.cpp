#include "cli/stream/frame_line.hpp"

#include "cli/device.hpp"
#include "cli/pipe/timing_sheet.hpp"
#include "cli/terminal/printable.hpp"
#include "cli/terminal/terminal.hpp"
#include "glproc/base/counted.hpp"
#include "glproc/base/error.hpp"
#include "job/notes.hpp"

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <unistd.h>

namespace glproc::cli {

FrameLine::FrameLine(const Arguments& arguments, const Settings& settings, Stages& stages)
    : settings_(settings), stages_(stages), cost_(arguments.command->cost), choice_(arguments, settings),
      progress_(is_terminal(STDERR_FILENO) && !settings.quiet) {}

void FrameLine::run(const Source& source) {
    next_ = source.next;
    const Conveyor::Steps steps{.measure = [this](std::size_t number) { return read(number); },
                                .prepare = {},
                                .finish = [&](std::size_t number) { write(number, source); }};
    constexpr std::size_t in_hand = 3; // one in each step
    Conveyor conveyor(steps, {.count = std::numeric_limits<std::size_t>::max(),
                              .workers = 2, // one may wait for the next frame
                              .under_way = 2 * source.waiting + in_hand,
                              .in_order = true});
    conveyor_ = &conveyor;
    conveyor.run({[&](Conveyor&) { process_all(source); }});
    frames_between_.clear();
    progress_.hide();
}

/// Nothing where there are no more.
std::optional<std::uint64_t> FrameLine::read(std::size_t number) {
    Frame frame;
    try {
        frame = next_();
    } catch (...) {
        read_failure_ = std::current_exception();
    }
    if (!frame) {
        conveyor_->end_with_those();
        return std::nullopt;
    }
    put(number, std::move(frame));
    return 0;
}

void FrameLine::process_all(const Source& source) {
    std::optional<Context> context;
    for (std::vector<std::size_t> one = conveyor_->take(1, true); !one.empty();
         one = conveyor_->take(1, true)) {
        Frame frame = take(one.front());
        try {
            if (frame) {
                process(frame, source, context);
            }
        } catch (const Error& error) {
            const bool is_named = !source.name_of || error.code() != ErrorCode::operation;
            process_failure_ = is_named
                                   ? std::current_exception()
                                   : std::make_exception_ptr(error_of(source.name_of(one.front()), error));
            frame.reset();
            give_up(one.front(), source);
        } catch (...) {
            process_failure_ = std::current_exception();
            frame.reset();
            give_up(one.front(), source);
        }
        const bool goes_on = frame != nullptr;
        put(one.front(), std::move(frame));
        conveyor_->pass_on(one.front(), goes_on);
    }
    if (context) {
        stages_.set(Stage::compile, context->compile_time());
        stages_.set(Stage::check, context->check_time());
    }
}

void FrameLine::process(Frame& frame, const Source& source, std::optional<Context>& context) {
    if (!context && !frame->is_done() && !goes_alone(*frame, source)) {
        start(*frame, context);
    }
    frame->process(context ? &*context : nullptr);
}

void FrameLine::put(std::size_t number, Frame frame) {
    const std::lock_guard lock(mutex_);
    if (frame) {
        frames_between_.emplace(number, std::move(frame));
    }
}

/// Null where it was given up.
FrameLine::Frame FrameLine::take(std::size_t number) {
    const std::lock_guard lock(mutex_);
    const auto found = frames_between_.find(number);
    if (found == frames_between_.end()) {
        return nullptr;
    }
    Frame frame = std::move(found->second);
    frames_between_.erase(found);
    return frame;
}

/// Frames behind this one. Whoever reads may wait for them to end.
void FrameLine::give_up(std::size_t behind, const Source& source) {
    conveyor_->stop();
    if (source.stop) {
        source.stop();
    }
    const std::lock_guard lock(mutex_);
    frames_between_.erase(frames_between_.upper_bound(behind), frames_between_.end());
}

/// A device pays for many frames: without their number it is taken.
bool FrameLine::goes_alone(const StreamFrame& frame, const Source& source) {
    constexpr double most_megapixels = 50; // some operations have slow twins
    if (!goes_alone_) {
        JobSize job = job_size(cost_, frame.millions(), frame.plan());
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
        if (error.code() != ErrorCode::no_context || !choice_.may_go_alone() ||
            !frame.needs_no_device(true)) {
            throw;
        }
        lacks_device_ = true;
        return;
    }
    device_ = context->device().renderer;
    report_device(context->device(), settings_);
}

void FrameLine::write(std::size_t number, const Source& source) {
    const Frame frame = take(number);
    if (!frame || write_failure_) {
        return;
    }
    try {
        frame->write();
        print_product(frame->text());
        if (!frame->failure().empty()) {
            throw Error(ErrorCode::operation, frame->failure());
        }
        millions_ += frame->millions();
        ++frames_;
        const double seconds = stages_.total() / 1000;
        progress_.show(
            fmt::format("{}, {:.1f}/s", counted(frames_, "frame"), static_cast<double>(frames_) / seconds), 0,
            1);
        if (source.frames && *source.frames > 0) {
            progress_.advance(
                std::min(1.0, static_cast<double>(frames_) / static_cast<double>(*source.frames)));
        }
    } catch (...) {
        write_failure_ = std::current_exception();
        give_up(number, source);
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
        report(stages_, *settings_.timing, device_, millions_, "megapixels", frames_);
    }
    if (settings_.verbose || (is_terminal(STDERR_FILENO) && !settings_.quiet)) {
        const double seconds = stages_.total() / 1000;
        print_stderr(fmt::format("{}: {}, {}, {}, {:.3f} s, {:.1f} frames/s\n", printable_name(output),
                                 counted(frames_, "frame"), work, device_, seconds,
                                 static_cast<double>(frames_) / seconds));
    }
}

} // namespace glproc::cli
