// Rotates a picture.
#pragma once

#include "glproc/kinds/gather/plan.hpp"

#include <optional>

namespace glproc {

/// Rotates the picture clockwise about its middle. A quarter turn moves pixels bit for bit; any other angle
/// mixes them.
struct Rotate {
    double angle = 0;       ///< degrees
    bool keep_size = false; ///< otherwise the result holds the whole rotated picture
    ResampleFilter filter = ResampleFilter::cubic;
    Border border =
        BorderMode::constant; ///< pixels beyond its edges; black, or transparent if there is alpha
    std::optional<Colour> background = std::nullopt; ///< instead: pixels of this colour
    AlphaMode alpha = AlphaMode::premultiply;
    GatherMethod method = GatherMethod::automatic;

    GpuImage operator()(Context& gpu, const GpuImage& src) const { return run(*this, gpu, src); }
};

/// Of a quarter turn, or of several; nothing at any other angle. Throws Error(usage) for an angle that is not
/// finite.
std::optional<Placement> placement_of(const Rotate& op, const Form& form);
/// Throws Error(usage) for an angle that is not finite.
Plan plan(const Rotate& op, const Form& form);

} // namespace glproc
