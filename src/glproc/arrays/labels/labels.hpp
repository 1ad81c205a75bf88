// Connected parts of arrays with any number of axes, numbered and boxed as SciPy's label() and find_objects()
// do it.
#pragma once

#include "glproc/arrays/run_job.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace glproc {

/// Gives the values that are not 0 the number of their part, and others 0. Parts are numbered by their first
/// values; it finds so many. See run_job.hpp.
struct LabelJob {
    VolumeForm source;
    /// Which neighbours belong together: 3 along each axis, symmetric about the middle, which counts for
    /// nothing.
    std::vector<std::uint8_t> structure;
    Number result = Number::i32; ///< or i64; with i32 an array has less than 2^31 values

    VolumeForm result_form() const { return {result, source.shape}; }
    double work() const { return 4 * static_cast<double>(source.count()); }
    bool fits_at_once(const Context& gpu) const; ///< up to four axes, and labels of 32 bits
    std::vector<Probe<LabelJob>> probes() const;
    Found run_on_gpu(Context& gpu, SourceBytes from, ResultBytes to) const;
    std::int64_t run_on_cpu(SourceBytes from, ResultBytes to, const Check& check = {}) const;
};

/// Where each of the labels from 1 to `count` lies: for each axis its first index and the one after its last.
/// Both are 0 where there is no such label.
std::vector<std::int64_t> boxes_on_cpu(const VolumeForm& form, std::span<const std::byte> labels,
                                       std::int64_t count);

} // namespace glproc
