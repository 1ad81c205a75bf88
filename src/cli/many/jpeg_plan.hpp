// Whether the JPEGs of a call are prepared for a GPU.
#pragma once

#include "cli/device_choice.hpp"
#include "cli/many/output_names.hpp"
#include "glproc/gl/context.hpp"
#include "job/picture/picture_job.hpp"

#include <atomic>
#include <cstddef>
#include <vector>

namespace glproc::cli {

/// Pictures are prepared for the GPU once it is known that it decodes them, or from the beginning where there
/// is likely to be one.
class JpegPlan {
  public:
    JpegPlan(const Arguments& arguments, const Settings& settings);

    /// Whether batches are to be expected.
    bool is_for_gpu() const { return is_for_gpu_ || may_take_over_; }

    /// The call makes fractions of pictures, for which it needs no GPU: finds out whether one would have been
    /// started, and have overtaken so many threads of the CPU, before they are done. Once, before there are
    /// threads.
    void plan_fractions(const std::vector<Errand>& errands, std::size_t threads);
    /// That it would, and whether it was seen to decode JPEGs, of which this is one.
    bool may_take_over() const { return may_take_over_; }
    bool takes_over(const Errand& errand) const;

    /// What was opened becomes pixels, or a scan for the GPU. On any thread.
    void decode(PictureJob& job, bool by_cpu);

    /// Asked by the threads of the GPUs: whether this one decodes JPEGs. The kernels are made and checked
    /// once there is a JPEG.
    bool look_at(Context& gpu);

  private:
    DeviceChoice choice_;
    bool may_take_over_ = false;
    std::atomic<bool> has_jpegs_ = false; ///< that a GPU might decode
    std::atomic<bool> is_looked_at_ = false;
    std::atomic<bool> is_known_ = false;
    std::atomic<bool> is_for_gpu_ = false; ///< until then a guess
};

} // namespace glproc::cli
