// Histogram equalisation.
#pragma once

#include "glproc/gl/context.hpp"
#include "glproc/ops/histogram.hpp"
#include "glproc/ops/tiles.hpp"

namespace glproc {

/// Where an image is equalised. Both give the same answer.
enum class EqualizeVariant { automatic, cpu, gpu };

template <>
inline constexpr std::array<EnumRow<EqualizeVariant>, 3> enum_rows<EqualizeVariant>{
    EnumRow{EqualizeVariant::automatic, "auto", "the one measured best for the renderer"},
    EnumRow{EqualizeVariant::cpu, "cpu", "plain loops on the CPU: the reference"},
    EnumRow{EqualizeVariant::gpu, "gpu",
            "histogram, prefix sum, table and map on the GPU: nothing is read back"},
};

/// Spreads the codes of an 8- or 16-bit image over the whole range: lut(v) = round((2^d - 1) · (cdf(v) - C) /
/// (N - C)), ties to even, where cdf counts the pixels up to v, C those of the lowest code in use, and N all.
/// In whole numbers throughout: the same on every device. For grey this is the rule of OpenCV's equalizeHist,
/// which computes it in single precision: about one image in 200 differs there, by one step of a few codes.
///
/// Colours: luma is equalised, and R, G and B are scaled by L'/L, rounded and clipped, where L is the luma of
/// the pixel and L' the entry of its bin (of 2^d). Alpha is kept. A constant image is unchanged.
struct Equalize {
    bool per_channel = false; ///< R, G and B each by itself; for grey the same
    LumaWeights luma = LumaWeights::rec709;
    EqualizeVariant variant = EqualizeVariant::automatic;

    /// An image of the same size and format. Throws Error(usage) for a float image,
    /// Error(operation) for 2^32 pixels or more.
    GpuImage operator()(Context& gpu, const GpuImage& src) const;

    /// The same, bit for bit, of a picture of any size (see tiles.hpp), which is read twice; `to` gets all
    /// its rows, and no finish().
    void operator()(Context& gpu, const RowSource& from, RowWriter& to,
                    const TileProgress& progress = {}) const;
};

/// Variant `cpu`; `image` has 8 or 16 bits.
Image equalize_on_cpu(const Equalize& equalize, const Image& image);

/// What must be counted of images of this form.
Histogram counted_by(const Equalize& equalize, const Form& form);

/// A look-up table for each channel that is counted, of so many pixels; empty for one with a single value,
/// which stays as it is.
using EqualizeTables = std::vector<std::vector<std::uint64_t>>;
EqualizeTables tables_of(const std::vector<ChannelCounts>& counts, std::uint64_t pixels);

/// Every pixel through the tables.
Image map_on_cpu(const Equalize& equalize, Image image, const EqualizeTables& tables);

} // namespace glproc
