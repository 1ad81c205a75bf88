// Two pictures in one form, value by value.
#pragma once

#include "glproc/image/image.hpp"

#include <utility>

namespace glproc {

/// Between two values. NaN is as far as possible from every number, and equal to itself.
double distance(double a, double b);

/// Returns both in the larger depth, and with colours only where they can be seen. An alpha channel that one
/// lacks and the other has opaque everywhere is left out. Throws Error(usage) if their sizes or channels
/// differ.
std::pair<Image, Image> in_one_depth(const Image& first, const Image& second);

} // namespace glproc
