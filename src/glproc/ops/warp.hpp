// Images seen through any map: perspective, lens, polar coordinates, or a map from a file.
#pragma once

#include "glproc/kinds/gather/plan.hpp"

#include <optional>
#include <vector>

namespace glproc {

/// Pixels of the result come from points of the source, by one of these maps. The corner of an image is 0,0,
/// and the centre of its first pixel ½,½. An affine map whose coordinates are not enormous is computed by the
/// GPU, as a rotation is. The points of other maps are computed by the processor.
///
/// Where the map shrinks the image, a pixel of the result is the mean of several samples, so that nothing
/// aliases.
struct Warp {
    /// a, b, c, d, e, f: the point x, y of the result shows ax + by + c, dx + ey + f of the source.
    std::optional<std::vector<double>> affine = std::nullopt;
    /// a to i: both divided by gx + hy + i. Where that is not above 0, nothing is seen.
    std::optional<std::vector<double>> perspective = std::nullopt;
    /// Four corners in the source, which become the corners of the result: top left, top right, bottom right,
    /// bottom left. Or four times a point of the source and its place in the result.
    std::optional<std::vector<double>> points = std::nullopt;
    /// k1, k2, k3, p1, p2 of Brown's model as OpenCV has it, seen from the middle in units of half the
    /// diagonal.
    std::optional<std::vector<double>> lens = std::nullopt;
    /// Columns become distances from the middle, up to the nearest edge; rows become angles, clockwise from
    /// the right.
    bool polar = false;
    PictureInput map = {}; ///< floats: x and y of the source in the first two channels, or in red and green
    std::optional<PixelSize> size =
        std::nullopt; ///< by default the size of the corners, the map or the source
    /// Of a pixel along each axis. By default 1 for `nearest` and for a map from a file. Other maps take as many
    /// as they shrink the image at most, but not more than twice its pixels in all.
    std::optional<int> samples = std::nullopt;
    ResampleFilter filter = ResampleFilter::cubic;
    Border border =
        BorderMode::constant; ///< pixels beyond the edges; black, or transparent if there is alpha
    std::optional<Colour> background = std::nullopt; ///< instead: pixels of this colour
    AlphaMode alpha = AlphaMode::premultiply;
    GatherMethod method = GatherMethod::automatic;

    GpuImage operator()(Context& gpu, const GpuImage& src) const { return run(*this, gpu, src); }
};

/// Throws Error(usage) unless there is one map with as many finite numbers as it needs.
Plan plan(const Warp& op, const Form& form);

} // namespace glproc
