// Counting a picture that comes in bands.
#pragma once

#include "glproc/op/sweep.hpp"
#include "glproc/ops/histogram.hpp"
#include "glproc/ops/histogram/statistics.hpp"

#include <vector>

namespace glproc {

/// Counts by a variant whose programs are right on this driver.
class BandCounts {
  public:
    BandCounts(const Histogram& histogram, Context& gpu, const BandCut& cut);

    void add(Context& gpu, Band& band);

    /// Of all bands so far.
    std::vector<ChannelCounts>& counts() { return counts_; }

  private:
    void add(std::vector<ChannelCounts> more);

    Histogram histogram_;
    int width_; ///< of the columns that are uploaded; 0 for whole rows
    std::vector<ChannelCounts> counts_;
};

/// Counts, and statistics of the same channels if those are wanted: the bands are then seen again for the medians.
class HistogramSweep final : public SweepState {
  public:
    HistogramSweep(const Histogram& histogram, Context& gpu, const BandCut& cut, bool measures);

    RowsMade next(Context& gpu, Band& band) override;
    bool again() override;

    std::vector<ChannelCounts>& counts() { return counts_.counts(); }
    std::vector<Statistics> statistics() const;

  private:
    BandCounts counts_;
    std::vector<Measurement> measured_;
    bool is_second_ = false;
};

/// The plan of one HistogramSweep, without a report. Throws Error(usage) as Histogram does.
SweepPlan histogram_plan(const Histogram& histogram, const Form& form, bool measures = false);

/// The memory that a band of a picture takes while it is counted.
TileNeeds histogram_needs(const Form& form);

} // namespace glproc
