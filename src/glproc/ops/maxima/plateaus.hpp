// Candidates that touch belong to one plateau, which its first pixel stands for.
#pragma once

#include "glproc/kinds/host_mask.hpp"
#include "glproc/ops/maxima/candidates.hpp"

#include <cstdint>
#include <vector>

namespace glproc {

/// Joins the pixels of a mask that comes in rows, from top to bottom; pixels that share a side or a corner
/// touch. Memory is a row and 16 bytes for each beginning.
class Plateaus {
  public:
    /// A run of pixels without a neighbour above, which may turn out to join an earlier one further down.
    struct Beginning {
        PixelPlace place;
        std::uint32_t earlier; ///< of the same plateau, or itself
        float value = 0;       ///< free for the caller
    };

    /// Takes the next rows; `first_row` is the number of the first.
    void add(const HostMask& mask, int first_row);

    /// Row by row.
    std::vector<Beginning>& beginnings() { return beginnings_; }

    /// Those that are the first of their plateaus.
    std::vector<Beginning> firsts() const;

  private:
    struct Run {
        int begin;
        int end;
        std::uint32_t beginning;
    };

    void add_run(int begin, int end, int y, std::size_t& above);
    std::uint32_t first_of(std::uint32_t beginning);

    std::vector<Beginning> beginnings_;
    std::vector<Run> above_; ///< of the last row
    std::vector<Run> here_;
};

} // namespace glproc
