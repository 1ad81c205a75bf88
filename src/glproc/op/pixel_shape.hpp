// The shape of pixels that are no squares, as in anamorphic videos and faxes.
#pragma once

#include "glproc/image/metadata.hpp"

namespace glproc {

/// What an operation makes of it.
struct PixelShape {
    bool turned = false; ///< width and height change places
    double widened = 1;  ///< then the width grows by this factor, measured in heights

    /// The width of a pixel of the result, measured in its height.
    double of(double aspect) const { return (turned ? 1 / aspect : aspect) * widened; }
    /// How dense the pixels of the result lie. A picture that is scaled alike in both directions keeps its
    /// density, as in other programs; so does one of square pixels that is stretched, as that is what was asked for.
    /// Where pixels are no squares the density down follows that across, so that the picture looks as before.
    Density of(const Density& density) const;
    /// Both, one after the other.
    PixelShape then(const PixelShape& next) const {
        return {turned != next.turned, (next.turned ? 1 / widened : widened) * next.widened};
    }
};

} // namespace glproc
