// The table of objects below the picture: a row each, one of which is selected.
#pragma once

#include "view/object_table.hpp"

#include <cstddef>
#include <memory>
#include <optional>

namespace glproc::view {

class TablePanel {
  public:
    /// The row that a person chose in this frame.
    std::optional<std::size_t> show(const std::shared_ptr<const ObjectTable>& table);

    std::optional<std::size_t> selected() const { return selected_; }
    /// Selects a row and scrolls to it.
    void select(std::size_t row);
    void select_none() { selected_.reset(); }
    /// Where a row is on the screen, seen or not.
    Point2 place_of(std::size_t row) const;

  private:
    void header(const ObjectTable& table) const;
    bool show_row(const ObjectTable& table, std::size_t row);

    std::shared_ptr<const ObjectTable> table_; ///< that `selected_` is a row of
    std::optional<std::size_t> selected_;
    bool scrolls_ = false; ///< to the selected row
    Point2 first_row_;
    float row_height_ = 0;
};

} // namespace glproc::view
