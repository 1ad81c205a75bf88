// Point operations whose parameters come from the histogram of the picture.
#pragma once

#include "glproc/kinds/point.hpp"
#include "glproc/ops/histogram.hpp"

namespace glproc {

/// How an operation analyses a picture before it knows its parameters.
struct Measure {
    Histogram histogram;
    /// The operation, once the picture is counted.
    std::function<Point(const std::vector<ChannelCounts>&)> point;
    /// The same parameters, from counts on the GPU (see count_on_gpu_buffer()); without it the counts are
    /// read back.
    std::function<Buffer(Context&, const Buffer& counts)> params_on_gpu = {};
};

/// Counts by a histogram; `plan` is the operation, once the whole picture is counted.
std::shared_ptr<const Counting>
counting_by(const Histogram& histogram,
            std::function<Plan(Context&, const std::vector<ChannelCounts>&)> plan);

/// `point` is the operation with any parameters.
Plan measured_plan(const Form& form, const Point& point, const Measure& measure);

/// One bin for each code of an integer picture; for floats 65536 from 0 to 1.
int bins_of(const Form& form);

} // namespace glproc
