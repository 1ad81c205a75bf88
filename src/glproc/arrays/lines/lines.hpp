// Filters of arrays with any number of axes, each value from others on its line along one axis, with SciPy's
// bits.
//
// Values become doubles, sums are added in the order of scipy.ndimage, and results are cast as C casts them.
// On the GPU and on the CPU that gives the same bits, for every type; only the bits of a NaN may differ.
#pragma once

#include "glproc/gl/context.hpp"
#include "glproc/image/volume.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace glproc {

/// The values beyond the ends of a line, by SciPy's names: cba|abc|cba, aaa|abc|ccc, cb|abc|ba, abc|abc|abc,
/// a constant.
enum class LineBorder { reflect, nearest, mirror, wrap, constant };

/// The index that stands for i on a line, or -1 for the constant.
std::int64_t folded_index(std::int64_t i, std::int64_t length, LineBorder border);

struct LinePass {
    enum class Do { sum, minimum, maximum, mean };
    Do what = Do::sum;
    int axis = 0;
    LineBorder border = LineBorder::reflect;
    double constant = 0;
    std::int64_t origin = 0;     ///< moves the window towards smaller indices, within its size
    std::int64_t size = 1;       ///< of the window
    std::vector<double> weights; ///< of a sum, as many
};

/// Of weights around the middle one. SciPy adds the two sides first where they are alike.
enum class Symmetry { odd = -1, none, even };
Symmetry symmetry_of(std::span<const double> weights);

/// Passes one after another. Every one gives values of the type of the result.
struct LineJob {
    VolumeForm source;
    Number result = Number::f64;
    std::vector<LinePass> passes; ///< at least one

    VolumeForm result_form() const { return {result, source.shape}; }
};

/// Whether `run_lines` can do it, if need be in slabs along the first axis.
bool fits(const Context& gpu, const LineJob& job);

/// Throws Error(gpu), Error(operation) if it does not fit, and WrongKernel where the driver computes doubles
/// wrongly, which is tried once for each program.
void run_lines(Context& gpu, const LineJob& job, std::span<const std::byte> source,
               std::span<std::byte> result);

/// The same by the threads of the CPU. `check` is called now and then and may throw.
void run_lines_on_cpu(const LineJob& job, std::span<const std::byte> source, std::span<std::byte> result,
                      const std::function<void()>& check = {});

} // namespace glproc
