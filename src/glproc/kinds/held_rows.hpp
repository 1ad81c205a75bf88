// Some rows of a picture that is read from top to bottom.
#pragma once

#include "glproc/image/image.hpp"
#include "glproc/image/rows.hpp"

#include <cstddef>

namespace glproc {

class HeldRows {
  public:
    /// The source is at row 0, and must outlive this.
    explicit HeldRows(RowReader& source) : source_(source) {}

    /// Holds rows `begin` to `end` - 1, neither of them before the last ones. Rows that were not held are read.
    void move_to(int begin, int end);
    /// Reads what is left, since a file is checked at its end.
    void finish();

    /// Of the whole picture.
    const Form& form() const { return source_.form(); }
    /// A row that is held, as it is stored.
    const std::byte* row(int y) const { return rows_.row(y - begin_); }

  private:
    int end() const { return begin_ + rows_.height(); }

    RowReader& source_;
    Image rows_;
    int begin_ = 0;
};

} // namespace glproc
