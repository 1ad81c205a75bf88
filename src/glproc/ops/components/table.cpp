#include "glproc/ops/components/table.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>

namespace glproc {

namespace {

/// n times the sum of products, minus the product of sums: n squared times a moment.
double central_sum(WideSum products, std::uint64_t sum, std::uint64_t other, std::uint64_t count) {
    const WideSum a = products * count;
    const WideSum b = WideSum{sum} * other;
    return a >= b ? static_cast<double>(a - b) : -static_cast<double>(b - a);
}

/// The ellipse with the same second moments: the squares of its semi-axes, divided by 4.
struct Ellipse {
    double large = 0;
    double small = 0;
};

Ellipse ellipse_of(const ComponentSums& sums) {
    const SecondMoments m = second_moments(sums);
    const double middle = (m.xx + m.yy) / 2;
    const double apart = std::hypot((m.xx - m.yy) / 2, m.xy);
    return {middle + apart, std::max(middle - apart, 0.0)};
}

/// As scikit-image: from the axis of rows to the major axis.
double orientation_of(const ComponentSums& sums) {
    const SecondMoments m = second_moments(sums);
    return std::atan2(2 * m.xy, m.yy - m.xx) / 2;
}

double eccentricity_of(const ComponentSums& sums) {
    const Ellipse ellipse = ellipse_of(sums);
    return ellipse.large == 0 ? 0 : std::sqrt(1 - ellipse.small / ellipse.large);
}

double mean_of(std::uint64_t sum, std::uint64_t count) {
    return static_cast<double>(sum) / static_cast<double>(count);
}

using Cell = std::function<TableCell(const ComponentSums&)>;

struct Column {
    TableColumn as;
    Cell cell;
};

Column whole(const char* name, std::function<std::int64_t(const ComponentSums&)> value) {
    return {{name, ColumnType::whole, "pixels"},
            [value = std::move(value)](const ComponentSums& c) { return value(c); }};
}

Column real(const char* name, const char* unit, int decimals,
            std::function<double(const ComponentSums&)> value) {
    return {{name, ColumnType::real, unit, decimals},
            [value = std::move(value)](const ComponentSums& c) { return value(c); }};
}

std::vector<Column> columns_of(ComponentMeasure measure) {
    using Sums = ComponentSums;
    switch (measure) {
    case ComponentMeasure::area:
        return {whole("area", [](const Sums& c) { return static_cast<std::int64_t>(c.area); })};
    case ComponentMeasure::box:
        return {whole("left", [](const Sums& c) { return c.left; }),
                whole("top", [](const Sums& c) { return c.top; }),
                whole("width", [](const Sums& c) { return c.right - c.left + 1; }),
                whole("height", [](const Sums& c) { return c.bottom - c.top + 1; })};
    case ComponentMeasure::centroid:
        return {real("x", "pixels", 2, [](const Sums& c) { return mean_of(c.x, c.area); }),
                real("y", "pixels", 2, [](const Sums& c) { return mean_of(c.y, c.area); })};
    case ComponentMeasure::axes:
        return {real("major", "pixels", 2, [](const Sums& c) { return 4 * std::sqrt(ellipse_of(c).large); }),
                real("minor", "pixels", 2, [](const Sums& c) { return 4 * std::sqrt(ellipse_of(c).small); })};
    case ComponentMeasure::orientation:
        return {real("orientation", "radians", 4, orientation_of)};
    case ComponentMeasure::eccentricity:
        return {real("eccentricity", "", 4, eccentricity_of)};
    }
    return {};
}

} // namespace

SecondMoments second_moments(const ComponentSums& sums) {
    const double square = static_cast<double>(sums.area) * static_cast<double>(sums.area);
    return {central_sum(sums.xx, sums.x, sums.x, sums.area) / square,
            central_sum(sums.xy, sums.x, sums.y, sums.area) / square,
            central_sum(sums.yy, sums.y, sums.y, sums.area) / square};
}

Table components_table(const std::vector<ComponentMeasure>& measures, std::vector<ComponentSums> components) {
    Table table;
    table.columns.push_back({"label"});
    std::vector<Cell> cells;
    for (const ComponentMeasure measure : measures) {
        for (Column& column : columns_of(measure)) {
            table.columns.push_back(std::move(column.as));
            cells.push_back(std::move(column.cell));
        }
    }
    table.rows = [cells = std::move(cells), components = std::move(components)](const TakeRow& take) {
        std::vector<TableCell> row(cells.size() + 1);
        for (std::size_t i = 0; i < components.size(); ++i) {
            row[0] = static_cast<std::int64_t>(i + 1);
            std::transform(cells.begin(), cells.end(), row.begin() + 1,
                           [&](const Cell& cell) { return cell(components[i]); });
            take(row);
        }
    };
    return table;
}

} // namespace glproc
