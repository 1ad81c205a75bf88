// Mean over a box.
#pragma once

#include "glproc/gl/context.hpp"
#include "glproc/kinds/light.hpp"
#include "glproc/kinds/filter.hpp"
#include "glproc/op/plan.hpp"

namespace glproc {

/// Mean over (2 radius.x + 1) × (2 radius.y + 1) pixels. Integer sums are exact before the one division as
/// long as they stay below 2^24. Float sums err by at most 2·(rx + ry + 1)·2^-24 of the largest magnitude
/// under the box. They never err by more than 2^-16, whatever the radius and the size of the image; tests
/// hold them to 1e-6.
struct Box {
    PerAxis<int> radius = 0; ///< pixels, 0 to 65535
    Border border = {};
    FilterMethod method = FilterMethod::automatic;
    AlphaMode alpha = AlphaMode::premultiply;
    bool linear = false; ///< filter in linear light: integer images are taken to be sRGB
    FloatValues floats = FloatValues::automatic; ///< with `linear`: the meaning of float values
    NanMode nan = NanMode::skip;

    /// The filtered image, of the same size and format. Throws Error(usage) for a radius out of range.
    GpuImage operator()(Context& gpu, const GpuImage& src) const { return run(*this, gpu, src); }

    /// The same, bit for bit, for a picture of any size (see tiles.hpp). `to` receives all rows; the caller
    /// calls finish().
    void operator()(Context& gpu, const RowSource& from, RowWriter& to, const TileProgress& progress = {}) const {
        run(*this, gpu, from, to, progress);
    }
};

Plan plan(const Box& op, const Form& form);

} // namespace glproc
