// Integral image: at each place the sum of all pixels above and to the left of it.
#pragma once

#include "glproc/gl/context.hpp"
#include "glproc/op/sweep.hpp"

#include <cstddef>
#include <vector>

namespace glproc {

/// How an integral image is computed. All give the same answer, floats within their rounding.
enum class IntegralVariant { automatic, cpu, rows_columns, bands };

template <>
inline constexpr std::array<EnumRow<IntegralVariant>, 4> enum_rows<IntegralVariant>{
    EnumRow{IntegralVariant::automatic, "auto", "the fastest measured for this renderer"},
    EnumRow{IntegralVariant::cpu, "cpu",
            "a plain loop on the CPU, floats in double precision: the reference, and fast on software "
            "renderers"},
    EnumRow{IntegralVariant::rows_columns, "rows_columns",
            "prefix sums of the rows, then of the columns: for comparison"},
    EnumRow{IntegralVariant::bands, "bands",
            "sums of bands of rows first, then each band on its own: reads each pixel twice, writes each "
            "sum once"},
};

/// The sum of all pixels above and to the left of each, itself included, by channel: u32 for 8- and 16-bit
/// images, f32 for float images.
///
/// A float sum is within (width + height + 64) · ε · Σ|x| of the exact one, ε = 2^-23: no sum depends
/// on more consecutive additions than a row and a column have, and a few more.
struct Integral {
    bool padded = false; ///< with a row of zeros on top and a column of zeros at the left, as OpenCV's
    bool wrap = false;   ///< sums wrap modulo 2^32, instead of an error if one could exceed 2^32 - 1
    IntegralVariant variant = IntegralVariant::automatic;

    /// An array of height × width, or height × width × channels if there are several. It may be larger
    /// than one storage block. Throws Error(usage) for an integer image so large that a sum could exceed 2^32
    /// - 1, unless `wrap`; Error(gpu) where the result does not fit.
    GpuArray operator()(Context& gpu, const GpuImage& src) const;

    /// The same, bit for bit, for a picture of any size (see tiles.hpp). `to` receives the rows of
    /// array_form(); the caller calls finish(). A row that does not fit a texture or a storage block is
    /// summed by `cpu`, whatever the variant.
    void operator()(Context& gpu, const RowSource& from, RowWriter& to,
                    const TileProgress& progress = {}) const;

    /// The form of the result for images of this form.
    ArrayForm array_form(const Form& form) const;
};

/// How the work is cut. Integral takes plan_integral(); tests take others.
struct IntegralPlan {
    std::size_t block_bytes = 0; ///< of the result at a time: no more than one storage block
    int rows_group = 256;        ///< invocations of a group that walks along a row
    int band = 8;                ///< rows of the image; a multiple of 8
    int strip = 32;              ///< of bands: STRIP and SUBGROUP of glsl/integral/walk.comp
    int subgroup = 8;
    int column_segments = 32; ///< SEGMENTS of glsl/integral/columns.comp, for bands
};

IntegralPlan plan_integral(Context& gpu, const Form& form);

/// One sweep down.
SweepPlan plan(const Integral& op, const Form& form);

} // namespace glproc
