// Filters of arrays with any number of axes, each value from others on its line along one axis, with SciPy's
// bits.
//
// Values become doubles, sums are added in the order of scipy.ndimage, and results are cast as C casts them.
// On the GPU and on the CPU that gives the same bits, for every type; only the bits of a NaN may differ.
#pragma once

#include "glproc/arrays/run_job.hpp"
#include "glproc/image/border_mode.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace glproc {

struct LinePass {
    enum class Do { sum, minimum, maximum, mean };
    Do what = Do::sum;
    int axis = 0;
    BorderMode border = BorderMode::reflect;
    double constant = 0;
    std::int64_t origin = 0;     ///< moves the window towards smaller indices, within its size
    std::int64_t size = 1;       ///< of the window
    std::vector<double> weights; ///< of a sum, as many
};

/// Of weights around the middle one. SciPy adds the two sides first where they are alike.
enum class Symmetry { odd = -1, none, even };
Symmetry symmetry_of(std::span<const double> weights);

/// Passes one after another. Every one gives values of the type of the result. See run_job.hpp.
struct LineJob {
    VolumeForm source;
    Number result = Number::f64;
    std::vector<LinePass> passes; ///< at least one

    VolumeForm result_form() const { return {result, source.shape}; }
    double work() const;
    bool fits_at_once(const Context& gpu) const;
    std::optional<std::int64_t> rows_around() const;
    std::vector<Probe<LineJob>> probes() const;
    Found run_on_gpu(Context& gpu, SourceBytes from, ResultBytes to) const;
    std::int64_t run_on_cpu(SourceBytes from, ResultBytes to, const Check& check = {}) const;
};

} // namespace glproc
