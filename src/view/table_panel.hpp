// The table of objects below the picture: a row each, one of which is selected.
#pragma once

#include "view/object_table.hpp"

#include <cstddef>
#include <memory>
#include <optional>

namespace glproc::view {

class TablePanel {
  public:
    /// Whether a person chose another row.
    bool show(const std::shared_ptr<const ObjectTable>& table);

    std::optional<std::size_t> selected() const { return selected_; }
    /// Selects a row and scrolls to it.
    void select(std::size_t row);
    /// The next row, or the one before; it begins again at the other end.
    void step(int direction);
    void select_none() { selected_.reset(); }
    /// Whether the objects are to be seen in the original.
    bool is_on_original() const { return is_on_original_; }
    /// Where a row is on the screen, seen or not.
    Point2 place_of(std::size_t row) const;

  private:
    void title(const ObjectTable& table);
    void header(const ObjectTable& table) const;
    bool show_row(const ObjectTable& table, std::size_t row);

    std::shared_ptr<const ObjectTable> table_; ///< that `selected_` is a row of
    std::optional<std::size_t> selected_;
    bool is_on_original_ = false;
    bool scrolls_ = false; ///< to the selected row
    Point2 first_row_;
    float row_height_ = 0;
};

} // namespace glproc::view
