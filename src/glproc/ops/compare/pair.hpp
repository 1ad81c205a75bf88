// Two pictures in one form, value by value.
#pragma once

#include "glproc/image/image.hpp"

#include <utility>

namespace glproc {

/// Between two values. Not a number is as far as can be from every number, and equal to itself.
double distance(double a, double b);

/// Both in the larger depth, without an alpha channel that one lacks and the other has opaque everywhere,
/// and with colours only where they can be seen. Throws Error(usage) where their sizes or channels differ.
std::pair<Image, Image> in_one_depth(const Image& first, const Image& second);

} // namespace glproc
