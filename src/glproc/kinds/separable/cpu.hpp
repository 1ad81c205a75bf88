// Separable filters on the CPU in double precision: the method `cpu`, and the reference of `bench`.
#pragma once

#include "glproc/image/image.hpp"
#include "glproc/kinds/separable/separable.hpp"

#include <span>
#include <vector>

namespace glproc {

/// Rows `rows` of the filtered image, one after another, before their values are clamped and rounded: in code
/// units, as Image::at() has them. Only these rows cost time, shared by all cores.
std::vector<double> filter_rows_on_cpu(const Image& image, const SeparableFilter& filter,
                                       std::span<const int> rows);

/// The filtered image, rounded once to its depth. Plain arithmetic on its values, whatever the filter says
/// about linear light and holes, which are handled by run_separable().
Image filter_on_cpu(const Image& image, const SeparableFilter& filter);

/// Multiplications that a row takes.
double filter_row_cost(const Form& form, const SeparableFilter& filter);

} // namespace glproc
