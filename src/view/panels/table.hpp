// The table of objects below the picture: a row each, one of which is selected.
#pragma once

#include "view/engine/object_table.hpp"

#include <cstddef>
#include <memory>
#include <optional>

namespace glproc::view {

class TablePanel {
  public:
    /// Whether a person chose another row. `has_labels`: whether its objects can be shown in colours.
    bool show(const std::shared_ptr<const ObjectTable>& table, bool has_labels);

    std::optional<std::size_t> selected() const { return selected_; }
    /// Selects a row and scrolls to it.
    void select(std::size_t row);
    /// The next row, or the one before; it begins again at the other end.
    void step(int direction);
    void select_none() { selected_.reset(); }
    /// Whether the objects are to be seen in the original.
    bool is_on_original() const { return is_on_original_; }
    /// Whether each object is to have a colour of its own.
    bool is_in_colours() const { return is_in_colours_; }
    void switch_colours() { is_in_colours_ = !is_in_colours_; }
    /// Where that is switched.
    Point2 colours_switch() const { return colours_switch_; }
    /// Where a row is on the screen, seen or not.
    Point2 place_of(std::size_t row) const;

  private:
    void title(const ObjectTable& table, bool has_labels);
    void header(const ObjectTable& table) const;
    bool show_row(const ObjectTable& table, std::size_t row);

    std::shared_ptr<const ObjectTable> table_; ///< that `selected_` is a row of
    std::optional<std::size_t> selected_;
    bool is_on_original_ = false;
    bool is_in_colours_ = false;
    Point2 colours_switch_;
    bool scrolls_ = false; ///< to the selected row
    Point2 first_row_;
    float row_height_ = 0;
};

} // namespace glproc::view
