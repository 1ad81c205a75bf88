// One value of many: means, ranks and clipped means across the rows of several images.
#pragma once

#include "glproc/ops/stack.hpp"

#include <span>
#include <vector>

namespace glproc {

/// The same rows of several images, an array of values each, all as long as the first.
template <class T>
using StackedRows = std::vector<std::span<const T>>;

/// What `op` makes of the values at each place, unrounded and in code units. T is std::uint8_t, std::uint16_t or float.
///
/// Sums of integers are exact. Floats are added in double precision, in the order of the images. NaN in any of the images gives
/// NaN.
template <class T>
void combine(const Stack& op, const StackedRows<T>& rows, std::span<double> result);

/// The same of pixels of so many channels. The last one is alpha: an image counts where it shows something. Alpha weighs the
/// colours of a mean. Where nothing shows, the colour is 0.
template <class T>
void combine_shown(const Stack& op, const StackedRows<T>& rows, std::size_t channels, std::span<double> result);

} // namespace glproc
