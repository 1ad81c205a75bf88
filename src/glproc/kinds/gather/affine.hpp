// Pictures seen through an affine map, a perspective, or any other map: rotated, sheared, moved by parts of a pixel, warped.
#pragma once

#include "glproc/gl/context.hpp"
#include "glproc/kinds/gather/point_map.hpp"
#include "glproc/kinds/gather/windows.hpp"

#include <array>
#include <memory>
#include <span>
#include <vector>

namespace glproc {

/// Maps points of the result to points of the source. The corner of a picture is 0,0, and the centre of its
/// first pixel ½,½. Filters are not widened; where the map shrinks the picture, each pixel of the result is
/// the mean of several samples. A point of the source lies between pixels; beyond the edge, pixels are as the
/// border says.
struct Affine {
    Double2 origin = {0, 0}; ///< the point of the source at the result's corner
    Double2 right = {1, 0};  ///< how far it moves for a sample to the right
    Double2 down = {0, 1};   ///< and for one down
    /// Of a perspective: what the point is divided by, at the result's corner, and how it grows for a sample right and down. It
    /// is positive in the whole result.
    std::array<double, 3> depth = {1, 0, 0};
    ResampleFilter filter = ResampleFilter::cubic;
    Border border = BorderMode::constant;
    AlphaMode alpha = AlphaMode::premultiply;
    std::shared_ptr<const PointMap> map = nullptr; ///< instead of origin, right and down: any other map
    int samples = 1;                               ///< of a pixel along each axis

    bool is_perspective() const { return depth != std::array<double, 3>{1, 0, 0}; }

    /// `x`, `y` in samples.
    double depth_at(double x, double y) const { return depth[0] + (depth[1] * x + depth[2] * y); }
    Double2 at(double x, double y) const {
        const double per = depth_at(x, y);
        return {(origin[0] + (right[0] * x + down[0] * y)) / per, (origin[1] + (right[1] * x + down[1] * y)) / per};
    }
};

/// The samples of some pixels.
Rect samples_in(const Affine& affine, const Rect& pixels);

/// Pixels that count for a sample along each axis; 1 means only the pixel that the point lies in.
int taps_of(const Affine& affine);

/// The rectangle of the source that a rectangle of the result depends on.
Rect source_of(const Affine& affine, const Form& source, const Rect& result);

/// `result` of the mapped picture, made from the part `rect` of the source, which holds what source_of()
/// says.
GpuImage run_affine(Context& gpu, const Affine& affine, const Form& source, const GpuImage& part,
                    const Rect& rect, const Rect& result);

/// All of the result by the processor, with the same bits.
Image mapped(const Affine& affine, const Image& source, int width, int height);

} // namespace glproc
