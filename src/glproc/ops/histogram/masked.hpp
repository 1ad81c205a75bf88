// The histogram of the pixels that a mask has set.
#pragma once

#include "glproc/files/transfer_curve.hpp"
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

/// Adds counts of the same channels. `to` may be empty.
void add_counts(std::vector<ChannelCounts>& to, std::vector<ChannelCounts> more);

/// Adds their floats to a range.
void add_range_within(const RowSource& rows, const CountedWithin& within, OwnRange& to);

} // namespace glproc
