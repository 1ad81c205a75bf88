// Cells of a table as people read them.
#pragma once

#include "glproc/op/table.hpp"

#include <string>

namespace glproc {

/// As write_text() has it: so many decimals as the column says; nothing for a missing value.
std::string shown_text(const TableColumn& column, const TableCell& cell);

} // namespace glproc
