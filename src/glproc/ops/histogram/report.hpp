// A histogram as text, CSV and JSON.
#pragma once

#include "glproc/ops/histogram.hpp"
#include "glproc/op/op.hpp"
#include "glproc/ops/histogram/statistics.hpp"

namespace glproc {

/// The report of `counts`, which `histogram` returned for `image`, on the image called `name`, with the
/// statistics of each channel. CSV has bins only; text and JSON also list values outside the range and NaN of
/// float images. Edges, range and statistics have the unit of the picture: codes of integers, values of
/// floats. Text on a terminal has `terminal_rows`, if that is not 0 and divides the bins.
Report histogram_report(const std::string& name, const Image& image, const Histogram& histogram,
                        std::vector<ChannelCounts> counts, int terminal_rows = 0);

/// The same, if the channels' statistics are known.
Report histogram_report(const std::string& name, const Form& image, const Histogram& histogram,
                        std::vector<ChannelCounts> counts, const std::vector<Statistics>& statistics,
                        int terminal_rows = 0);

} // namespace glproc
