// Histogram equalisation.
#pragma once

#include "glproc/gl/context.hpp"
#include "glproc/ops/histogram.hpp"
#include "glproc/op/plan.hpp"

namespace glproc {

/// Where an image is equalised. Both give the same answer.
enum class EqualizeVariant { automatic, cpu, gpu };

template <>
inline constexpr std::array<EnumRow<EqualizeVariant>, 3> enum_rows<EqualizeVariant>{
    EnumRow{EqualizeVariant::automatic, "auto", "the fastest measured for this renderer"},
    EnumRow{EqualizeVariant::cpu, "cpu", "the processor, with the bits of the kernels"},
    EnumRow{EqualizeVariant::gpu, "gpu",
            "histogram, prefix sum, table and look-up, all on the GPU: nothing is read back"},
};

/// Spreads the codes of an 8- or 16-bit image over the whole range: lut(v) = round((2^d - 1) · (cdf(v) - C) /
/// (N - C)), ties to even. cdf counts the pixels up to v, C the pixels of the lowest code in use, and N all
/// pixels. The arithmetic is in integers, so that the result is the same on every device. For grey this is
/// the rule of OpenCV's equalizeHist, which computes it in single precision: about one image in 200 differs,
/// by 1 in a few codes.
///
/// With colours, luma is equalised, and R, G and B are scaled by L'/L, rounded and clipped. L is the luma of
/// the pixel and L' the entry of its bin (of 2^d). Alpha is kept. A constant image is unchanged.
struct Equalize {
    bool per_channel = false; ///< R, G and B separately; makes no difference for grey
    LumaWeights luma = LumaWeights::rec709;
    EqualizeVariant variant = EqualizeVariant::automatic;

    /// An image of the same size and format. Throws Error(usage) for a float image,
    /// Error(operation) for 2^32 pixels or more.
    GpuImage operator()(Context& gpu, const GpuImage& src) const { return run(*this, gpu, src); }

    /// The same, bit for bit, for a picture of any size (see tiles.hpp), which is read twice. `to` receives
    /// all rows; the caller calls finish().
    void operator()(Context& gpu, const RowSource& from, RowWriter& to, const TileProgress& progress = {}) const {
        run(*this, gpu, from, to, progress);
    }
};

Plan plan(const Equalize& op, const Form& form);

/// Variant `cpu`; `image` has 8 or 16 bits.
Image equalize_on_cpu(const Equalize& equalize, const Image& image);

/// The histogram that images of this form need.
Histogram counted_by(const Equalize& equalize, const Form& form);

/// A look-up table for each counted channel of an image with `pixels` pixels; empty for a channel with a
/// single value, which does not change.
using EqualizeTables = std::vector<std::vector<std::uint64_t>>;
EqualizeTables tables_of(const std::vector<ChannelCounts>& counts);

/// Maps every pixel through the tables.
Image map_on_cpu(const Equalize& equalize, Image image, const EqualizeTables& tables);

} // namespace glproc
