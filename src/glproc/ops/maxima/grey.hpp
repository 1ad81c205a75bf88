// Pictures in one colour channel, for operations that order values.
#pragma once

#include "glproc/op/sweep.hpp"

#include <optional>

namespace glproc {

/// The luma of a picture in colour, which `made` then keeps; a grey one itself. Alpha is kept.
const GpuImage& grey_of(Context& gpu, const GpuImage& image, std::optional<GpuImage>& made);

/// The same by the processor.
Image grey_of(const Image& image);

/// The same of a band, in CPU memory; `alone`: by the processor.
Image grey_rows(Context& gpu, Band& band, const BandCut& cut, bool alone);

} // namespace glproc
