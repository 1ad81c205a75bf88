// The shape of pixels that are not square, as in anamorphic video and Group 4 TIFF.
#pragma once

#include "glproc/image/metadata.hpp"

namespace glproc {

/// How an operation changes it.
struct PixelShape {
    bool turned = false; ///< width and height change places
    double widened = 1;  ///< then the width grows by this factor, measured in heights
    double across = 1;   ///< so many pixels show what one did, along the width of the result
    double down = 1;     ///< and along its height

    /// The width of a pixel of the result, measured in its height.
    double of(double aspect) const { return (turned ? 1 / aspect : aspect) * widened; }
    /// The density of the result. An image that is scaled alike in both directions keeps its density, as in
    /// other programs. So does one with square pixels that is stretched, because the caller asked for it. If
    /// pixels are not square, the vertical density is adjusted, so that the image keeps its proportions.
    Density of(const Density& density) const;
    /// The density of pixels that have a size in the world, such as a microscope's: more pixels are smaller ones.
    Density of_measured(const Density& density) const {
        return {(turned ? density.y : density.x) * across, (turned ? density.x : density.y) * down, density.unit};
    }
    /// Both, one after the other.
    PixelShape then(const PixelShape& next) const {
        return {turned != next.turned, (next.turned ? 1 / widened : widened) * next.widened,
                (next.turned ? down : across) * next.across, (next.turned ? across : down) * next.down};
    }
};

} // namespace glproc
