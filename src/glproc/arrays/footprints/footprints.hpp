// Filters of arrays with any number of axes, each value from others around it at given offsets, with SciPy's
// bits. See lines.hpp.
#pragma once

#include "glproc/arrays/lines/lines.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace glproc {

/// See run_job.hpp.
struct FootprintJob {
    enum class Do { sum, minimum, maximum, rank };

    VolumeForm source;
    Number result = Number::f64;
    Do what = Do::sum;
    BorderMode border = BorderMode::reflect; ///< along each axis
    double constant = 0;                     ///< not for sums: cast to the type of the source
    std::vector<std::int64_t> offsets; ///< of each neighbour one for each axis; they are added in this order
    std::vector<double> weights;       ///< of each neighbour, of a sum
    std::size_t rank = 0;              ///< 0: the least

    bool is_set = false; ///< bytes of 0 and 1, for minima or maxima

    std::size_t neighbours() const { return offsets.size() / source.shape.size(); }

    VolumeForm result_form() const { return {result, source.shape}; }
    double work() const { return static_cast<double>(source.count()) * static_cast<double>(neighbours()); }
    /// Up to four axes, no results of unsigned integers of 64 bits, and a neighbour.
    bool fits_at_once(const Context& gpu) const;
    std::optional<std::int64_t> rows_around() const;
    std::vector<Probe<FootprintJob>> probes() const;
    /// Has the same bits; of a rank only where all zeros have one sign and no value is NaN.
    Found run_on_gpu(Context& gpu, SourceBytes from, ResultBytes to) const;
    std::int64_t run_on_cpu(SourceBytes from, ResultBytes to, const Check& check = {}) const;
};

/// For run_on_cpu(): minima or maxima of a set, by words of bits. The border is the constant.
void run_set(const FootprintJob& job, SourceBytes source, ResultBytes result, const Check& check);

} // namespace glproc
