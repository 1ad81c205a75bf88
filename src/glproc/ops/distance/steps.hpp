// The nearest sites of a picture in steps to one of the eight neighbours, one row after another by the
// processor. Where several sites are as near the answer depends on more of a column than its nearest site, so
// that rows apart from columns do not give it.
#pragma once

#include "glproc/ops/distance/cpu.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace glproc {

/// The nearest site so far of each pixel of a row: column and row, or ~0 for both.
using SiteRow = std::vector<std::uint32_t>;

/// Goes down the rows of a picture and then up: A. Rosenfeld, J. Pfaltz, Distance functions on digital
/// pictures, 1968. Of several sites as near the first in the picture is kept: it is the nearest of a
/// neighbour, too, and the first of those.
class StepRows {
  public:
    explicit StepRows(int width);

    /// Rows of the mask of sites, which begin with row `first_row` of the picture. Returns their nearest
    /// sites among those seen so far.
    std::vector<std::uint32_t> go_down(const HostMask& sites, int first_row);

    /// Takes the rows that go_down() returned, from the last band to the first one, and makes their sites the
    /// nearest of all.
    void go_up(std::span<std::uint32_t> rows, int first_row);

  private:
    int width_;
    SiteRow before_; ///< of the row that came last
};

/// The distances of rows from their nearest sites, without the sites that are too far.
HostDistances distances_in_steps(std::vector<std::uint32_t> sites, int first_row, const DistanceForm& form);

} // namespace glproc
