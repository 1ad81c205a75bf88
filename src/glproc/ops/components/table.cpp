#include "glproc/ops/components/table.hpp"

#include "glproc/base/counted.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <numbers>
#include <string>
#include <string_view>

#include <fmt/format.h>

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

/// The length of the outline by the weights of a perimeter estimator.
double perimeter_of(const LabelledSums& sums) {
    const double straight = static_cast<double>(sums.straight) + static_cast<double>(sums.bent) / 2;
    const double diagonal = static_cast<double>(sums.diagonal) + static_cast<double>(sums.bent) / 2;
    return straight + diagonal * std::numbers::sqrt2;
}

/// One component.
struct Measured {
    const ComponentSums& sums;
    const LabelledSums& labelled;
};

using Cell = std::function<TableCell(const Measured&)>;

struct Column {
    TableColumn as;
    Cell cell;
};

Column whole(const char* name, const char* unit, std::function<std::int64_t(const Measured&)> value) {
    return {{name, ColumnType::whole, unit},
            [value = std::move(value)](const Measured& c) { return value(c); }};
}

Column real(std::string name, const char* unit, int decimals, std::function<double(const Measured&)> value) {
    return {{std::move(name), ColumnType::real, unit, decimals},
            [value = std::move(value)](const Measured& c) { return value(c); }};
}

/// A column for each channel of the picture whose values were measured.
std::vector<Column>
value_columns(std::string_view name, const Form& with, const std::function<double(const ComponentValues&)>& value) {
    constexpr std::array names{"r", "g", "b", "a"};
    std::vector<Column> columns;
    for (int c = 0; c < with.channels; ++c) {
        const bool is_alpha = with.has_alpha() && c + 1 == with.channels;
        const std::string channel = is_alpha ? "_a"
                                    : with.channels < 3
                                        ? ""
                                        : fmt::format("_{}", names.at(static_cast<std::size_t>(c)));
        columns.push_back(real(fmt::format("{}{}", name, channel), "", -1, [value, c](const Measured& m) {
            return value(m.labelled.values.at(static_cast<std::size_t>(c)));
        }));
        columns.back().as.is_float_measure = with.depth == Depth::f32;
    }
    return columns;
}

std::vector<Column> columns_of(ComponentMeasure measure, const Form& with) {
    using enum ComponentMeasure;
    using In = Measured;
    switch (measure) {
    case area:
        return {whole("area", "pixels", [](const In& c) { return static_cast<std::int64_t>(c.sums.area); })};
    case box:
        return {whole("left", "pixels", [](const In& c) { return c.sums.left; }),
                whole("top", "pixels", [](const In& c) { return c.sums.top; }),
                whole("width", "pixels", [](const In& c) { return c.sums.right - c.sums.left + 1; }),
                whole("height", "pixels", [](const In& c) { return c.sums.bottom - c.sums.top + 1; })};
    case centroid:
        return {real("x", "pixels", 2, [](const In& c) { return mean_of(c.sums.x, c.sums.area); }),
                real("y", "pixels", 2, [](const In& c) { return mean_of(c.sums.y, c.sums.area); })};
    case axes:
        return {
            real("major", "pixels", 2, [](const In& c) { return 4 * std::sqrt(ellipse_of(c.sums).large); }),
            real("minor", "pixels", 2, [](const In& c) { return 4 * std::sqrt(ellipse_of(c.sums).small); })};
    case orientation:
        return {real("orientation", "radians", 4, [](const In& c) { return orientation_of(c.sums); })};
    case eccentricity:
        return {real("eccentricity", "", 4, [](const In& c) { return eccentricity_of(c.sums); })};
    case perimeter:
        return {real("perimeter", "pixels", 2, [](const In& c) { return perimeter_of(c.labelled); })};
    case euler:
        return {whole("euler", "", [](const In& c) { return c.labelled.euler; })};
    case holes:
        return {whole("holes", "", [](const In& c) { return 1 - c.labelled.euler; })};
    case mean:
        return value_columns("mean", with, [depth = with.depth](const ComponentValues& v) { return v.mean(depth); });
    case min:
        return value_columns("min", with, [](const ComponentValues& v) { return v.least; });
    case max:
        return value_columns("max", with, [](const ComponentValues& v) { return v.largest; });
    case sum:
        return value_columns("sum", with, [depth = with.depth](const ComponentValues& v) {
            return v.sum(depth);
        });
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

Table components_table(const std::vector<ComponentMeasure>& measures, MeasuredComponents components) {
    Table table;
    table.columns.push_back({"label"});
    std::vector<Cell> cells;
    for (const ComponentMeasure measure : measures) {
        for (Column& column : columns_of(measure, components.with)) {
            table.columns.push_back(std::move(column.as));
            cells.push_back(std::move(column.cell));
        }
    }
    table.rows = [cells = std::move(cells), components = std::move(components)](const TakeRow& take) {
        const LabelledSums none;
        std::vector<TableCell> row(cells.size() + 1);
        for (std::size_t i = 0; i < components.sums.size(); ++i) {
            const Measured component{components.sums[i],
                                     components.labelled.empty() ? none : components.labelled[i]};
            row[0] = static_cast<std::int64_t>(i + 1);
            std::transform(cells.begin(), cells.end(), row.begin() + 1,
                           [&](const Cell& cell) { return cell(component); });
            take(row);
        }
    };
    return table;
}

Report report_of(const Components& op, const std::string& name, const Form& form,
                 const MeasuredComponents& components) {
    const std::size_t count = components.sums.size();
    Value::Object facts{{"schema", {"glproc.components/1"}},
                        {"input", {name}},
                        {"width", {std::int64_t{form.width}}},
                        {"height", {std::int64_t{form.height}}}};
    if (op.with.image) {
        facts.push_back({"with", {op.with.path}});
    }
    facts.push_back({"count", {static_cast<std::int64_t>(count)}});
    return report_of(std::move(facts), "components", components_table(op.measure, components),
                     fmt::format("{}  {}x{}  {}", name, form.width, form.height, counted(count, "component")));
}

} // namespace glproc
