// The numbers of components, as they are drawn on a picture.
#pragma once

#include "glproc/kinds/host_mask.hpp"
#include "glproc/ops/components/sums.hpp"

#include <span>

namespace glproc {

/// The box of a digit, in pixels.
inline constexpr int digit_width = 8;
inline constexpr int digit_height = 11;

/// `rows` rows, beginning with `first_row`, of a mask of a picture: 1, 2, … over the middle of each
/// component, moved inward where it would leave the picture. `picture` is a form of the picture's size.
HostMask drawn_numbers(std::span<const ComponentSums> components, const Form& picture, int first_row,
                       int rows);

} // namespace glproc
