// The connected components of a mask by the processor: those that Labelling finds, with the same labels.
#pragma once

#include "glproc/arrays/labels/run_labels.hpp"
#include "glproc/kinds/host_mask.hpp"
#include "glproc/ops/components/labelling.hpp"

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace glproc {

class MaskRuns {
  public:
    /// Keeps no mask: what is left are the runs of its rows. With `planes` the mask has that many of one
    /// height under one another, and pixels of two planes touch as pixels of two rows do.
    MaskRuns(const HostMask& mask, Connectivity connectivity, int planes = 0);

    std::uint32_t count() const { return count_; }

    /// Calls work(row, begin, end, label) for the runs of all rows, in their order.
    template <class Work>
    void for_runs(const Work& work) const {
        runs_.for_runs(0, height_, work);
    }

    /// The labels of some rows, row by row. `numbers` replaces them unless it is empty: label 1 has the
    /// first.
    void write_labels(std::span<std::uint32_t> labels, int first_row, int rows,
                      std::span<const std::uint32_t> numbers = {}) const;

    /// The mask of the components whose number is not 0.
    HostMask mask(std::span<const std::uint32_t> numbers) const;

    /// For every component, in the order of the labels, the sums over its pixels in row `first_row`, which
    /// counts as row 0, and below. A component that ends above has none.
    std::vector<ComponentSums> sums(bool moments, int first_row = 0) const;

  private:
    int width_;
    int height_;
    RunLabels<std::int32_t> runs_;
    std::uint32_t count_;
};

} // namespace glproc
