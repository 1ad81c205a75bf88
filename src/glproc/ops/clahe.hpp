// Histogram equalisation that follows the neighbourhood.
#pragma once

#include "glproc/gl/context.hpp"
#include "glproc/kinds/samples.hpp"
#include "glproc/op/plan.hpp"

#include <array>

namespace glproc {

/// Both give the same bits.
enum class ClaheMethod { automatic, gpu, cpu };

template <>
inline constexpr std::array<EnumRow<ClaheMethod>, 3> enum_rows<ClaheMethod>{
    EnumRow{ClaheMethod::automatic, "auto",
            "same as gpu; cpu where the device has too little memory for the tables"},
    EnumRow{ClaheMethod::gpu, "gpu", "histograms, tables and look-up on the GPU"},
    EnumRow{ClaheMethod::cpu, "cpu", "the processor, with the bits of the kernels"},
};

/// Contrast-limited adaptive histogram equalisation (CLAHE) of an image of 8 or 16 bits. The image is cut
/// into tiles, and each has a table that equalises it. A pixel becomes what the tables of the four tiles
/// around it say, interpolated.
///
/// Grey becomes exactly what OpenCV's createCLAHE() makes of it. With colours, luma is equalised, and R, G
/// and B are scaled by L'/L as Equalize does. Alpha is kept.
struct Clahe {
    PixelSize tiles = {8, 8}; ///< across and down, 1 to 32 each
    /// How often a code may occur in a tile before its count is clipped: so many times as often as if all
    /// codes were equally frequent. 0 clips nothing.
    double clip = 2;
    LumaWeights luma = LumaWeights::rec709;
    ClaheMethod method = ClaheMethod::automatic;

    /// An image of the same size and format. Throws Error(usage) for a float image.
    GpuImage operator()(Context& gpu, const GpuImage& src) const { return run(*this, gpu, src); }
    /// The same, bit for bit, for a picture of any size, which is read twice. `to` receives all rows; the
    /// caller calls finish().
    void operator()(Context& gpu, const RowSource& from, RowWriter& to,
                    const TileProgress& progress = {}) const {
        run(*this, gpu, from, to, progress);
    }
};

Plan plan(const Clahe& op, const Form& form);

} // namespace glproc
