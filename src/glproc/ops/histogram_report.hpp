// A histogram as text, CSV and JSON.
#pragma once

#include "glproc/ops/histogram.hpp"
#include "glproc/ops/op.hpp"
#include "glproc/ops/statistics.hpp"

namespace glproc {

/// What `counts`, which `histogram` gave for `image`, says about the image called `name`, with the statistics
/// of each channel. CSV has bins only; text and JSON also tell values outside the range and NaN of float
/// images.
Report histogram_report(const std::string& name, const Image& image, const Histogram& histogram,
                        std::vector<ChannelCounts> counts);

/// The same where the channels' statistics are known.
Report histogram_report(const std::string& name, const Form& image, const Histogram& histogram,
                        std::vector<ChannelCounts> counts, const std::vector<Statistics>& statistics);

} // namespace glproc
