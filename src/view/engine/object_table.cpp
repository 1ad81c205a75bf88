#include "view/engine/object_table.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>
#include <variant>

namespace glproc::view {

ObjectTable::ObjectTable(const Table& table, std::string name, const Form& form, std::uint64_t version,
                         bool is_shown)
    : columns_(table.columns), name_(std::move(name)), form_(form), version_(version), is_shown_(is_shown),
      label_(column("label")), box_{column("left"), column("top"), column("width"), column("height")},
      x_(column("x")), y_(column("y")) {
    table.rows([&](std::span<const TableCell> cells) {
        if (++count_ <= most_rows) {
            cells_.insert(cells_.end(), cells.begin(), cells.end());
        }
    });
}

std::optional<std::size_t> ObjectTable::column(const std::string& name) const {
    const auto found = std::ranges::find(columns_, name, &TableColumn::name);
    return found == columns_.end() ? std::nullopt
                                   : std::optional(static_cast<std::size_t>(found - columns_.begin()));
}

std::span<const TableCell> ObjectTable::row(std::size_t at) const {
    return std::span(cells_).subspan(at * columns_.size(), columns_.size());
}

Table ObjectTable::table() const {
    return {columns_, [this](const TakeRow& take) {
                for (std::size_t i = 0; i < rows(); ++i) {
                    take(row(i));
                }
            }};
}

std::optional<double> ObjectTable::number(std::size_t at, std::optional<std::size_t> column) const {
    if (!column) {
        return std::nullopt;
    }
    const TableCell& cell = row(at)[*column];
    if (const auto* whole = std::get_if<std::int64_t>(&cell)) {
        return static_cast<double>(*whole);
    }
    const auto* real = std::get_if<double>(&cell);
    return real != nullptr && std::isfinite(*real) ? std::optional(*real) : std::nullopt;
}

std::optional<ScreenPlace> ObjectTable::place(std::size_t row) const {
    const auto of = [&](std::size_t i) { return number(row, box_[i]); };
    if (const auto left = of(0), top = of(1), width = of(2), height = of(3); left && top && width && height) {
        return ScreenPlace{{*left, *top}, *width, *height};
    }
    const auto x = number(row, x_);
    const auto y = number(row, y_);
    return x && y ? std::optional(ScreenPlace{{std::round(*x), std::round(*y)}, 1, 1}) : std::nullopt;
}

std::uint32_t ObjectTable::label(std::size_t row) const {
    return static_cast<std::uint32_t>(number(row, label_).value_or(0));
}

std::optional<std::size_t> ObjectTable::row_at(Point2 point, double margin) const {
    std::optional<std::size_t> found;
    double smallest = 0;
    for (std::size_t i = 0; i < rows(); ++i) {
        const std::optional<ScreenPlace> at = place(i);
        const auto holds = [&](double value, double begin, double size) {
            return value >= begin - margin && value < begin + size + margin;
        };
        if (!at || !holds(point.x, at->corner.x, at->width) || !holds(point.y, at->corner.y, at->height)) {
            continue;
        }
        // Of two points that are both near, the nearer one.
        const double size = at->width * at->height + std::hypot(at->corner.x + at->width / 2 - point.x,
                                                                at->corner.y + at->height / 2 - point.y);
        if (!found || size < smallest) {
            found = i;
            smallest = size;
        }
    }
    return found;
}

} // namespace glproc::view
