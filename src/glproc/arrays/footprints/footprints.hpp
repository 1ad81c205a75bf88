// Filters of arrays with any number of axes, each value from others around it at given offsets, with SciPy's
// bits. See lines.hpp.
#pragma once

#include "glproc/arrays/lines/lines.hpp"
#include "glproc/image/volume.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace glproc {

struct FootprintJob {
    enum class Do { sum, minimum, maximum, rank };

    VolumeForm source;
    Number result = Number::f64;
    Do what = Do::sum;
    LineBorder border = LineBorder::reflect; ///< along each axis
    double constant = 0;                     ///< not for sums: cast to the type of the source
    std::vector<std::int64_t> offsets; ///< of each neighbour one for each axis; they are added in this order
    std::vector<double> weights;       ///< of each neighbour, of a sum
    std::size_t rank = 0;              ///< 0: the least

    std::size_t neighbours() const { return offsets.size() / source.shape.size(); }
};

/// By the threads of the CPU. `check` is called now and then and may throw.
void run_footprint_on_cpu(const FootprintJob& job, std::span<const std::byte> source,
                          std::span<std::byte> result, const std::function<void()>& check = {});

/// The same of a set, values of 0 and 1 in bytes: where all neighbours are in it (minimum), or any (maximum). The border is the constant.
void run_set_on_cpu(const FootprintJob& job, std::span<const std::byte> source, std::span<std::byte> result,
                    const std::function<void()>& check = {});

/// Whether the GPU has a program for it, and the memory: up to four axes, no results of unsigned integers of 64 bits, and a neighbour.
bool fits(const Context& gpu, const FootprintJob& job);

/// The same bits by the GPU; of a rank only where all zeros have one sign and no value is NaN. Throws Error(gpu), and WrongKernel
/// where the driver computes wrongly, which is tried once for each program.
void run_footprint(Context& gpu, const FootprintJob& job, std::span<const std::byte> source, std::span<std::byte> result);

} // namespace glproc
