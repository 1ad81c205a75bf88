// Grey-scale morphology: the least and the largest of the pixels under a shape, and combinations of them.
#pragma once

#include "glproc/kinds/rank.hpp"

namespace glproc {

enum class MorphologyStep { erode, dilate, open, close, gradient, tophat, blackhat };

template <>
inline constexpr std::array<EnumRow<MorphologyStep>, 7> enum_rows<MorphologyStep>{
    EnumRow{MorphologyStep::erode, "erode", "the smallest value under the shape: dark parts grow"},
    EnumRow{MorphologyStep::dilate, "dilate", "the largest value under the shape: light parts grow"},
    EnumRow{MorphologyStep::open, "open", "erode, then dilate: removes light parts smaller than the shape"},
    EnumRow{MorphologyStep::close, "close", "dilate, then erode: removes dark parts smaller than the shape"},
    EnumRow{MorphologyStep::gradient, "gradient", "dilated minus eroded: edges"},
    EnumRow{MorphologyStep::tophat, "tophat",
            "the image minus its opening: only light parts smaller than the shape"},
    EnumRow{MorphologyStep::blackhat, "blackhat",
            "the closing minus the image: only dark parts smaller than the shape"},
};

enum class MorphologyShape { box, disk, cross };

template <>
inline constexpr std::array<EnumRow<MorphologyShape>, 3> enum_rows<MorphologyShape>{
    EnumRow{MorphologyShape::box, "box", "a rectangle; its size does not affect the time"},
    EnumRow{MorphologyShape::disk, "disk",
            "all pixels within the radius; an ellipse for two radii"},
    EnumRow{MorphologyShape::cross, "cross", "one row and one column"},
};

enum class MorphologyMethod { automatic, cpu, direct, flat };

template <>
inline constexpr std::array<EnumRow<MorphologyMethod>, 4> enum_rows<MorphologyMethod>{
    EnumRow{MorphologyMethod::automatic, "auto", "flat for boxes, direct for other shapes"},
    EnumRow{MorphologyMethod::cpu, "cpu", "a plain loop on the CPU: the reference"},
    EnumRow{MorphologyMethod::direct, "direct",
            "reads every pixel under the shape: disks, crosses and small boxes"},
    EnumRow{MorphologyMethod::flat, "flat",
            "prefix and suffix maxima of blocks, one axis at a time: boxes of any size"},
};

/// Of each channel by itself, over a shape that reaches `radius` pixels from its middle: equals
/// scipy.ndimage's grey_erosion and its kin with the same border. Differences of integers are not less than
/// 0. NaN counts as missing: the result is NaN only where there is nothing else; of a difference where either
/// part is.
struct Morphology {
    MorphologyStep step = MorphologyStep::dilate;
    PerAxis<int> radius = 0; ///< pixels, 0 to 65535; of disks and crosses to 127
    MorphologyShape shape = MorphologyShape::box;
    Border border = {};
    MorphologyMethod method = MorphologyMethod::automatic;
    RankAlpha alpha =
        RankAlpha::straight; ///< gradient and hats keep alpha in any case, or nothing would show

    /// The result, of the same size and format. Throws Error(usage) for a radius out of range, and
    /// Error(operation) if the method cannot run.
    GpuImage operator()(Context& gpu, const GpuImage& src) const { return run(*this, gpu, src); }

    /// The same, bit for bit, for a picture of any size (see tiles.hpp). `to` receives all rows; the caller
    /// calls finish().
    void operator()(Context& gpu, const RowSource& from, RowWriter& to,
                    const TileProgress& progress = {}) const {
        run(*this, gpu, from, to, progress);
    }
};

Plan plan(const Morphology& op, const Form& form);

} // namespace glproc
