// Whether the JPEGs of a call are prepared for a GPU.
#pragma once

#include "cli/device_choice.hpp"
#include "cli/many/picture_job.hpp"
#include "glproc/gl/context.hpp"

#include <atomic>
#include <cstddef>

namespace glproc::cli {

/// Pictures are prepared for the GPU once it is known that it decodes them, or from the beginning where it did so the last time.
class JpegPlan {
  public:
    JpegPlan(const Arguments& arguments, const Settings& settings);

    /// Whether batches are to be expected.
    bool is_for_gpu() const { return is_for_gpu_; }
    /// Whether a GPU was seen that decodes them.
    bool has_gpu() const { return is_known_ && is_for_gpu_; }

    /// The call makes fractions of so many JPEGs, on so many threads of the CPU: whether a GPU would have been started, and have
    /// overtaken those, before they are done. Once, before there are threads.
    bool overtakes(std::size_t jpegs, std::size_t threads);

    /// What was opened becomes pixels, or a scan for the GPU. On any thread.
    void decode(PictureJob& job, bool by_cpu);

    /// Asked by the threads of the GPUs, whose context took so many milliseconds to start: whether it decodes JPEGs. The kernels
    /// are made and checked once there is a JPEG.
    bool look_at(Context& gpu, double start);

  private:
    DeviceChoice choice_;
    bool makes_fractions_ = false;
    std::atomic<bool> has_jpegs_ = false; ///< that a GPU might decode
    std::atomic<bool> is_looked_at_ = false;
    std::atomic<bool> is_known_ = false;
    std::atomic<bool> is_for_gpu_ = false; ///< until then a guess
};

} // namespace glproc::cli
