#include "cli/many/device_lanes.hpp"

#include "cli/device.hpp"
#include "cli/terminal/leave.hpp"
#include "glproc/base/error.hpp"

#include <algorithm>
#include <memory>
#include <utility>

namespace glproc::cli {

std::vector<Conveyor::Lane> DeviceLanes::lanes(const BatchLane::Steps& steps, Start start) {
    std::vector<ContextOptions> options{settings_.context};
    if (settings_.every_device) {
        const std::vector<std::string> devices = every_device();
        options.assign(std::max<std::size_t>(devices.size(), 1), settings_.context);
        for (std::size_t i = 0; i < devices.size(); ++i) {
            options[i].device = devices[i];
        }
    }
    std::vector<Conveyor::Lane> lanes;
    for (const ContextOptions& one : options) {
        lanes.emplace_back(
            [this, one, steps, start](Conveyor& conveyor) { serve(conveyor, one, steps, start); });
    }
    return lanes;
}

/// A context for all pictures. After an error of the GPU another is tried: the next pictures may fit.
void DeviceLanes::serve(Conveyor& conveyor, const ContextOptions& options, const BatchLane::Steps& steps,
                        Start start) {
    std::unique_ptr<Context> context;
    bool is_named = false;
    const auto make = [&] {
        if (!context) {
            stages_.run(Stage::context, [&] { context = std::make_unique<Context>(options); });
        }
    };
    const auto open = [&]() -> Context& {
        make();
        if (!std::exchange(is_named, true)) {
            add_name(*context);
        }
        return *context;
    };
    if (start == Start::at_once) {
        open();
    } else if (start == Start::to_look) {
        try {
            make();
            steps.look(*context);
        } catch (const Error&) { // NOLINT(bugprone-empty-catch): the pictures are done without it
            context.reset();
        }
    }
    BatchLane lane(conveyor, stages_, steps);
    while (lane.serve(open)) {
        add_times(*context);
        context.reset();
    }
    if (context) {
        add_times(*context);
        if (cli::may_leave(context->device())) {
            static_cast<void>(
                context.release()); // NOLINT(bugprone-unused-return-value): it ends with the process
        } else {
            may_leave_ = false;
        }
    }
}

bool DeviceLanes::lacks_device() {
    std::call_once(asked_for_device_, [this] {
        try {
            const Context context(settings_.context);
        } catch (const Error& error) {
            lacks_device_ = error.code() == ErrorCode::no_context;
        }
    });
    return lacks_device_;
}

void DeviceLanes::add_times(const Context& gpu) {
    compile_time_ += gpu.compile_time();
    check_time_ += gpu.check_time();
}

void DeviceLanes::add_name(const Context& gpu) {
    const std::lock_guard lock(mutex_);
    if (names_.empty()) {
        report_device(gpu.device(), settings_);
    }
    names_ += (names_.empty() ? "" : ", ") + gpu.device().renderer;
}

} // namespace glproc::cli
