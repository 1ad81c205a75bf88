// What `--device auto` means for one picture: whether the processor does it, without OpenGL, or a device. Both give the same bits.
#pragma once

#include "cli/arguments.hpp"
#include "cli/settings.hpp"
#include "glproc/image/image.hpp"
#include "glproc/op/op.hpp"
#include "glproc/op/plan.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace glproc::cli {

/// A job, as far as its time depends on it.
struct JobSize {
    OpCost cost = {};
    double megapixels = 0;     ///< of source or result, whichever has more
    double work = 0;           ///< multiplications a value by the operation's reference, where that tells
    double processor_work = 0; ///< PlanTwin::work
    bool is_jpeg = false;      ///< a GPU would decode it, too
    std::size_t cores = 1;
};

/// What the processor alone is expected to save, in milliseconds, of the time of a GPU or of llvmpipe: from the start of the
/// device to the end of the process.
double saved_alone(bool has_gpu, const JobSize& job);

/// The file by which the kernel offers a GPU, or an empty text.
std::string gpu_file();

/// The choice for one call.
class DeviceChoice {
  public:
    DeviceChoice(const Arguments& arguments, const Settings& settings, bool has_gpu = !gpu_file().empty());

    /// Whether a GPU is likely to do the work that a device does: decoding may be left to it.
    bool expects_gpu() const { return expects_gpu_; }
    /// Whether the processor may do the work without OpenGL, where the operation can: unless anything was said of a device.
    bool may_go_alone() const { return may_go_alone_; }
    /// Whether it has this job done first.
    bool goes_alone(const JobSize& job);

    /// "for 3.7 megapixels it should finish 40 ms before the GPU; --device gpu uses the GPU all the same", or nothing.
    const std::string& reason() const { return reason_; }

  private:
    bool has_gpu_;
    bool expects_gpu_;
    bool may_go_alone_;
    std::string reason_;
};

/// What a run says of a device that it did not need.
inline constexpr std::string_view no_device = "the processor";

/// Whether nothing was said of a device, nor of how its kernels are to be compiled and run.
bool leaves_device_open(const Settings& settings);

/// The job on a picture of so many megapixels, of which `plan` makes an image, where that is known.
JobSize job_size(const OpCost& cost, double megapixels, const std::optional<Plan>& plan);

} // namespace glproc::cli
