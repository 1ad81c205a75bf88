// Point operations whose parameters come from the histogram of the picture.
#pragma once

#include "glproc/kinds/point.hpp"
#include "glproc/op/over_stack.hpp"
#include "glproc/ops/histogram.hpp"
#include "glproc/ops/histogram/masked.hpp"

namespace glproc {

/// The counts of a picture, and the range that its bins divide: 0 to 1, or of floats beyond that or in a narrow part of it their own.
struct Counted {
    std::vector<ChannelCounts> channels = {};
    Interval range = {};

    /// The lower edge of a bin; of a code its value.
    double edge(std::size_t bin) const;
    /// The largest float that is counted in a bin up to `bin`.
    float last_in(std::size_t bin) const;
};

/// How an operation analyses a picture before it knows its parameters.
struct Measure {
    Histogram histogram; ///< of floats its range is not asked for
    /// The operation, once the picture is counted.
    std::function<Point(const Counted&)> point;
    /// The same parameters, from counts of an image's codes on the GPU (see count_on_gpu_buffer()); without it the counts are
    /// read back.
    std::function<Buffer(Context&, const Form&, const Buffer& counts)> params_on_gpu = {};
    CountedWithin within = {}; ///< which pixels count; the processor then counts them
};

/// Counts by a histogram; `plan` is the operation, once the whole picture is counted.
std::shared_ptr<const Counting>
counting_by(const Histogram& histogram,
            std::function<Plan(Context&, const std::vector<ChannelCounts>&)> plan);

/// Counts an image; floats that OwnRange knows to lie elsewhere are counted once more, over their own range.
Counted counted_on_cpu(const Image& image, const Histogram& histogram);

/// The same of the pixels that a mask has set. Throws as count_within().
Counted counted_within(const RowSource& rows, const CountedWithin& within, const Histogram& histogram);

/// The same of many images of one depth, within a mask where there is one.
Counted counted_over(const EachImage& images, Depth depth, const Measure& measure);

/// `point` is the operation with any parameters.
Plan measured_plan(const Form& form, const Point& point, const Measure& measure);

/// One bin for each code of an integer picture; for floats 65536 from one end of their range to the other.
int bins_of(const Form& form);

/// How many pixels were counted in bins.
std::uint64_t pixels_in(const ChannelCounts& counts);

} // namespace glproc
