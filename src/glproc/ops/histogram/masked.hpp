// The histogram of the pixels that a mask has set.
#pragma once

#include "glproc/ops/histogram.hpp"

namespace glproc {

/// A mask in words of the caller: set where it can be seen and a colour is not 0.
struct CountedWithin {
    PictureInput mask = {}; ///< without an image all pixels count

    explicit operator bool() const { return mask.image != nullptr; }
    bool fits(const Form& form) const {
        return mask.image->width() == form.width && mask.image->height() == form.height;
    }
};

/// As count_on_cpu() for the set pixels alone, band by band. Throws Error: usage for a mask of another size,
/// operation for one that sets nothing.
std::vector<ChannelCounts> count_within(const RowSource& rows, const CountedWithin& within,
                                        const Histogram& histogram);

/// The range of their floats, as own_range() of a picture.
Interval own_range_within(const RowSource& rows, const CountedWithin& within);

} // namespace glproc
