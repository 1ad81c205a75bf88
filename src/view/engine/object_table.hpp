// What an operation measured of each object of a picture, as the window shows it. No window, no OpenGL.
#pragma once

#include "glproc/op/table.hpp"
#include "view/viewport.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace glproc::view {

class ObjectTable {
  public:
    /// More rows than a person would look through are counted, and not kept.
    static constexpr std::size_t most_rows = 100000;

    /// `form` is that of the picture that was measured.
    ObjectTable(const Table& table, std::string name, const Form& form, std::uint64_t version, bool is_shown);

    const std::vector<TableColumn>& columns() const { return columns_; }
    std::size_t rows() const { return columns_.empty() ? 0 : cells_.size() / columns_.size(); }
    std::span<const TableCell> row(std::size_t at) const;
    /// The rows that are kept. This object must outlive it.
    Table table() const;
    /// Of objects, those that are not kept among them.
    std::size_t count() const { return count_; }
    /// "components"
    const std::string& name() const { return name_; }
    const Form& form() const { return form_; }
    /// Of the document that it was made by.
    std::uint64_t version() const { return version_; }
    /// Whether the result shows the objects where they were measured: no operation follows.
    bool is_shown() const { return is_shown_; }

    /// Where the object of a row is: its box, or one pixel where only a position is known. Nothing where the
    /// table has neither.
    std::optional<ScreenPlace> place(std::size_t row) const;
    /// The number of the object of a row in the labels of pixels; 0 where the table has none.
    std::uint32_t label(std::size_t row) const;
    /// The row of the smallest object whose place, with this margin around it, holds the point.
    std::optional<std::size_t> row_at(Point2 point, double margin) const;

  private:
    std::optional<double> number(std::size_t row, std::optional<std::size_t> column) const;
    std::optional<std::size_t> column(const std::string& name) const;

    std::vector<TableColumn> columns_;
    std::vector<TableCell> cells_; ///< row after row
    std::size_t count_ = 0;
    std::string name_;
    Form form_;
    std::uint64_t version_;
    bool is_shown_;
    std::optional<std::size_t> label_;              ///< columns
    std::array<std::optional<std::size_t>, 4> box_; ///< left, top, width and height
    std::optional<std::size_t> x_;
    std::optional<std::size_t> y_;
};

} // namespace glproc::view
