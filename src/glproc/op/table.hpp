// Tables: what is measured of each of many things. The columns are described once; text, CSV and JSON follow,
// and rows stream, so that a table of millions takes no memory.
//
//   Table table{{{"label", ColumnType::whole}, {"area", ColumnType::whole, "pixels"}}, rows};
//   write_csv(table, [&](std::string_view part) { file << part; });
#pragma once

#include "glproc/op/op.hpp"

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace glproc {

/// The type of the cells of a column.
enum class ColumnType { whole, real, text };

struct TableColumn {
    std::string name; ///< "area": in the header of CSV, and the key in JSON
    ColumnType type = ColumnType::whole;
    std::string unit = {}; ///< "pixels", for people
    int decimals = -1;     ///< of real numbers in text; below 0, six digits
    bool is_float_measure = false; ///< as FloatMeasure
};

/// One cell, of the type of its column. NaN stands for a missing value: nothing in CSV and text, null in
/// JSON.
using TableCell = std::variant<std::int64_t, double, std::string>;

/// Gets the rows of a table, one after another. The cells live as long as the call.
using TakeRow = std::function<void(std::span<const TableCell> cells)>;

struct Table {
    std::vector<TableColumn> columns;
    /// Calls `take` for every row in order, each time it is called itself.
    std::function<void(const TakeRow& take)> rows;
};

/// Gets a text in parts.
using TakeText = std::function<void(std::string_view part)>;

/// A text as a field of CSV: RFC 4180, with an apostrophe before what a spreadsheet would take for a formula.
std::string csv_field(std::string_view text);

/// A header line, then a line for each row. Real numbers have as many digits as tell them from their neighbours.
void write_csv(const Table& table, const TakeText& take);

/// A list of objects, a line each.
void write_json(const Table& table, const TakeText& take);

/// Columns side by side under their names and units, numbers to the right. The rows are asked for twice.
void write_text(const Table& table, const TakeText& take);

/// The rows as values, for the tree of a report: it takes the memory of all rows.
Value list_of(const Table& table);

/// All that a report has, with the rows of its table.
Value tree_with_rows(const Report& report);
std::string csv_with_rows(const Report& report);

/// A report of a table: `facts` first, then the rows as the member `key`. `title` is the first line of the
/// text, if not empty.
Report report_of(Value::Object facts, const std::string& key, Table table, const std::string& title);

} // namespace glproc
