#include "glproc/op/pixel_shape.hpp"

namespace glproc {

Density PixelShape::of(const Density& density) const {
    const double aspect = density.pixel_aspect();
    if (aspect == 0 || (!turned && widened == 1)) {
        return density;
    }
    const double across = turned ? density.y : density.x;
    return {across, across * of(aspect), density.unit};
}

Density PixelShape::measured(const Density& density) const {
    return {(turned ? density.y : density.x) * across, (turned ? density.x : density.y) * down, density.unit};
}

} // namespace glproc
