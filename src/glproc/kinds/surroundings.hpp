// The values around each pixel of a picture, for twins of kernels that look at neighbours.
#pragma once

#include "glproc/image/rows.hpp"
#include "glproc/kinds/filter.hpp"
#include "glproc/kinds/held_rows.hpp"

#include <cstddef>
#include <functional>
#include <vector>

namespace glproc {

/// How a kernel sees pixels.
struct Sight {
    Border border = {};
    PerAxis<int> reach = 1; ///< pixels to each side
    int values = 1;         ///< of a pixel; those that it lacks, or that are not seen, are 0
    int seen = 1;           ///< channels
};

/// A few rows of a picture in code units, with the values around them.
class Surroundings {
  public:
    Surroundings(const HeldRows& held, const Sight& sight);

    /// Rows `first` to `first` + `rows` - 1.
    void load(int first, int rows);

    /// The first value of a row of the picture that is loaded.
    const float* row(int y) const;
    /// The row as it is stored.
    const std::byte* stored(int y) const { return held_.row(y); }

    int pitch() const { return pitch_; } ///< values from a pixel to the one below

  private:
    void load_row(int y, float* to) const;

    const HeldRows& held_;
    Sight sight_;
    int pitch_;
    int first_ = 0;
    std::vector<float> beyond_; ///< a pixel of the constant border
    std::vector<float> values_;
};

/// Writes a row of the result; `around` has loaded that row.
using MakeRow = std::function<void(const Surroundings& around, int y, std::byte* to)>;

/// Makes a picture of this form, as large as the source, on all cores. Rows are read and written in their
/// order, and no more are held than are seen, unless the picture repeats beyond its edges. The caller calls
/// finish().
void make_rows(RowReader& source, const Sight& sight, const Form& result, RowWriter& to, const MakeRow& make);

} // namespace glproc
