// Pixels of alpha 0 have no colour: what a file holds there reaches no neighbour.
#pragma once

#include "glproc/op/plan.hpp"

namespace glproc {

/// The same filter, which sees so many pixels to each side, on a picture whose hidden colours were replaced by those of
/// the nearest pixels that can be seen, in the row or else in the column: see glsl/kinds/seen.comp. A flat colour stays
/// flat. A picture without alpha is left to the filter as it is.
Plan seen_plan(const Form& form, Plan filter, const Int2& reach);

/// That picture; further than `reach` away nothing is looked for.
Image with_seen_colours(const Image& image, const Int2& reach);
GpuImage with_seen_colours(Context& gpu, const GpuImage& image, const Int2& reach);

/// The picture with these colours in hidden pixels, in code units: for what asks for the least or the largest value.
Image with_hidden(Image image, double code);
GpuImage with_hidden(Context& gpu, const GpuImage& image, double code);

} // namespace glproc
