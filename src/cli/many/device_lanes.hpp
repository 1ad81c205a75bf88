// The devices that work on many pictures: one context each, kept from picture to picture.
#pragma once

#include "cli/settings.hpp"
#include "glproc/gl/context.hpp"
#include "job/conveyor.hpp"
#include "job/picture/batch_lane.hpp"
#include "job/stages.hpp"

#include <atomic>
#include <cstddef>
#include <functional>
#include <mutex>
#include <string>
#include <vector>

namespace glproc::cli {

class DeviceLanes {
  public:
    DeviceLanes(const Settings& settings, Stages& stages) : settings_(settings), stages_(stages) {}

    enum class Start { at_once, to_look, when_needed };
    /// One for each device, which is opened at once, or for the first picture that needs it; `to_look`: at
    /// once where that is possible, as pictures may come to need it by what `steps.look` finds. This object
    /// must outlive them.
    std::vector<Conveyor::Lane> lanes(const BatchLane::Steps& steps, Start start);

    /// Whether no device is to be had. Asked of the driver once, where that decides who does the work; from
    /// any thread.
    bool lacks_device();

    /// Of the devices that were opened, once the lanes have ended.
    const std::string& names() const { return names_; }
    double compile_time() const { return compile_time_; }
    double check_time() const { return check_time_; }
    /// Whether every context may end with the process.
    bool may_leave() const { return may_leave_; }

  private:
    void serve(Conveyor& conveyor, const ContextOptions& options, const BatchLane::Steps& steps, Start start);
    void add_times(const Context& gpu);
    void add_name(const Context& gpu);

    const Settings& settings_;
    Stages& stages_;
    std::atomic<double> compile_time_ = 0;
    std::atomic<double> check_time_ = 0;
    std::atomic<bool> may_leave_ = true;
    std::once_flag asked_for_device_;
    bool lacks_device_ = false;
    std::mutex mutex_; ///< of the names
    std::string names_;
};

} // namespace glproc::cli
