// A histogram as text, CSV and JSON.
#pragma once

#include "glproc/ops/histogram.hpp"
#include "glproc/ops/op.hpp"

namespace glproc {

/// What `counts`, which `histogram` gave for `image`, says about the image called `name`, with the statistics
/// of each channel. CSV has bins only; text and JSON also tell values outside the range and NaN of float
/// images.
Report histogram_report(const std::string& name, const Image& image, const Histogram& histogram,
                        std::vector<ChannelCounts> counts);

} // namespace glproc
