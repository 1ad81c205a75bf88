// Grey-scale morphology: the least and the largest of the pixels under a shape, and combinations of them; and
// steps that look at whole objects of a mask.
#pragma once

#include "glproc/kinds/rank.hpp"
#include "glproc/ops/morphology/pattern.hpp"

namespace glproc {

enum class MorphologyStep {
    erode,
    dilate,
    open,
    close,
    gradient,
    tophat,
    blackhat,
    fill,
    clear_border,
    hitmiss,
    reconstruct,
};

template <>
inline constexpr std::array<EnumRow<MorphologyStep>, 11> enum_rows<MorphologyStep>{
    EnumRow{MorphologyStep::erode, "erode", "the smallest value under the shape: dark parts grow"},
    EnumRow{MorphologyStep::dilate, "dilate", "the largest value under the shape: light parts grow"},
    EnumRow{MorphologyStep::open, "open", "erode, then dilate: removes light parts smaller than the shape"},
    EnumRow{MorphologyStep::close, "close", "dilate, then erode: removes dark parts smaller than the shape"},
    EnumRow{MorphologyStep::gradient, "gradient", "dilated minus eroded: edges"},
    EnumRow{MorphologyStep::tophat, "tophat",
            "the image minus its opening: only light parts smaller than the shape"},
    EnumRow{MorphologyStep::blackhat, "blackhat",
            "the closing minus the image: only dark parts smaller than the shape"},
    EnumRow{MorphologyStep::fill, "fill", "fill the holes of all objects of a mask, which need no radius"},
    EnumRow{MorphologyStep::clear_border, "clear-border",
            "remove the objects of a mask that touch the border of the image"},
    EnumRow{MorphologyStep::hitmiss, "hitmiss", "the pixels of a mask whose neighbours match --pattern"},
    EnumRow{MorphologyStep::reconstruct, "reconstruct",
            "grow the image into the shapes of --with: restores each shape that an opening left a part of"},
};

enum class MorphologyShape { box, disk, cross };

template <>
inline constexpr std::array<EnumRow<MorphologyShape>, 3> enum_rows<MorphologyShape>{
    EnumRow{MorphologyShape::box, "box", "a rectangle; its size does not affect the time"},
    EnumRow{MorphologyShape::disk, "disk", "all pixels within the radius; an ellipse for two radii"},
    EnumRow{MorphologyShape::cross, "cross", "one row and one column"},
};

enum class MorphologyMethod { automatic, cpu, direct, flat };

template <>
inline constexpr std::array<EnumRow<MorphologyMethod>, 4> enum_rows<MorphologyMethod>{
    EnumRow{MorphologyMethod::automatic, "auto", "flat for boxes, direct for other shapes"},
    EnumRow{MorphologyMethod::cpu, "cpu", "the processor, with the bits of the kernels"},
    EnumRow{MorphologyMethod::direct, "direct",
            "reads every pixel under the shape: disks, crosses and small boxes"},
    EnumRow{MorphologyMethod::flat, "flat",
            "prefix and suffix maxima of blocks, one axis at a time: boxes of any size"},
};

/// How far a shape reaches from its centre; nothing for steps without a shape.
struct ShapeRadius : PerAxis<int> {
    constexpr ShapeRadius() = default;
    constexpr ShapeRadius(int both) : PerAxis<int>(both), is_given(true) {} // implicit, as PerAxis
    constexpr ShapeRadius(int x_, int y_) : PerAxis<int>(x_, y_), is_given(true) {}
    constexpr ShapeRadius(const PerAxis<int>& radius) : PerAxis<int>(radius), is_given(true) {}

    bool is_given = false;
};

template <>
struct FieldText<ShapeRadius> {
    static ShapeRadius parse(const FieldContext& c, std::string_view text) {
        return FieldText<PerAxis<int>>::parse(c, text);
    }
    static std::string print(const ShapeRadius& value) {
        return value.is_given ? FieldText<PerAxis<int>>::print(value) : "";
    }
    static std::string range(const Limit& limit) { return FieldText<PerAxis<int>>::range(limit); }
};

template <>
struct ValueKind<ShapeRadius> : ValueKind<PerAxis<int>> {};

/// Of each channel by itself, over a shape that reaches `radius` pixels from its middle: equals
/// scipy.ndimage's grey_erosion and its kin with the same border. Differences of integers are not less than
/// 0. NaN counts as missing: the result is NaN only where there is nothing else; of a difference where either
/// part is.
///
/// `fill` and `clear_border` work on the objects of a mask: visible pixels where a colour is not 0 that touch at a
/// side or a corner. They make a mask of one channel, as scipy.ndimage.binary_fill_holes() and
/// skimage.segmentation.clear_border() do. They have no shape, and their method is `automatic` or `cpu`.
///
/// `hitmiss` makes a mask of 8 bits, as scipy.ndimage.binary_hit_or_miss(). `reconstruct` is that by dilation
/// of skimage.morphology.reconstruction(), of each channel by itself, on the processor and with the whole
/// picture in memory.
struct Morphology {
    MorphologyStep step = MorphologyStep::dilate;
    ShapeRadius radius = {}; ///< pixels, 0 to 65535; of disks and crosses to 127
    MorphologyShape shape = MorphologyShape::box;
    HitPattern pattern = {}; ///< of hitmiss
    PictureInput with =
        {}; ///< of reconstruct: of the same form; where it is less than the picture, it counts
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
