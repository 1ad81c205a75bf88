// The modes of blend in double precision: the reference.
#pragma once

#include "glproc/ops/blend.hpp"

namespace glproc {

/// Whether a mode is one of W3C's, which regard alpha.
bool composes(BlendMode mode);

/// Whether a mode can make an opaque image transparent.
bool makes_transparent(BlendMode mode);

/// The colour of a pixel `own` on which `other` lies. `full` is the largest code, or 1 for floats.
Colour4 blend_of(const BlendHow& how, const Colour4& own, const Colour4& other, double opacity, double full);

} // namespace glproc
