// Edges as thin lines.
#pragma once

#include "glproc/gl/context.hpp"
#include "glproc/op/codes.hpp"
#include "glproc/op/plan.hpp"

#include <array>

namespace glproc {

enum class CannyNorm { l1, l2 };

template <>
inline constexpr std::array<EnumRow<CannyNorm>, 2> enum_rows<CannyNorm>{
    EnumRow{CannyNorm::l1, "l1", "|x| + |y|, as OpenCV does by default"},
    EnumRow{CannyNorm::l2, "l2", "the length of the vector (x, y)"},
};

/// Both give the same bits.
enum class CannyMethod { automatic, gpu, cpu };

template <>
inline constexpr std::array<EnumRow<CannyMethod>, 3> enum_rows<CannyMethod>{
    EnumRow{CannyMethod::automatic, "auto", "same as gpu; cpu for rows too long for the device"},
    EnumRow{CannyMethod::gpu, "gpu", "gradients from shared memory, and the components of the mask"},
    EnumRow{CannyMethod::cpu, "cpu", "the processor, with the bits of the kernels"},
};

/// Finds edges by Canny's method. Lines consist of pixels where the gradient is largest across the edge, and
/// above `low`. A line is kept if a pixel of it is above `high`. The result is a mask of one channel of 8
/// bits. Alpha does not count.
///
/// Of several colours the one with the largest gradient counts. Images of 8 bits become exactly what OpenCV's
/// Canny() makes of them (colours in its order, B, G, R). With `sigma`, and for other depths, the same rules
/// are computed in single precision, step by step, so that the bits are the same on every driver.
struct Canny {
    Codes low = 100;  ///< size of a gradient, in steps of 1/255; the two may be swapped
    Codes high = 200; ///< likewise
    double sigma =
        0; ///< pixels, 0 to 100: first a Gaussian, cut off at 4 sigma; nothing is rounded to codes in between
    CannyNorm norm = CannyNorm::l1;
    CannyMethod method = CannyMethod::automatic;

    GpuImage operator()(Context& gpu, const GpuImage& src) const { return run(*this, gpu, src); }
    /// The same, bit for bit, for a picture of any size. Between the two ways over its rows a bit for each
    /// pixel is kept, in memory or in a temporary file. `to` receives all rows; the caller calls finish().
    void operator()(Context& gpu, const RowSource& from, RowWriter& to,
                    const TileProgress& progress = {}) const {
        run(*this, gpu, from, to, progress);
    }
};

Plan plan(const Canny& op, const Form& form);

} // namespace glproc
