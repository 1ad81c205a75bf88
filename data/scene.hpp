// The landscape of the sample picture.
#pragma once

#include "paint.hpp"

namespace sample {

/// The light that comes from (u, v): u from 0 to 1.5 rightwards, v from 0 to 1 downwards.
Colour scene(double u, double v);

} // namespace sample
