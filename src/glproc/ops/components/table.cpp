#include "glproc/ops/components/table.hpp"

#include "glproc/base/counted.hpp"

#include <algorithm>
#include <functional>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace glproc {

namespace {

/// "3 components: 8 pixels, 2.67 on average, 25.00% of the image"; nothing of none.
std::string summary_of(const MeasuredComponents& components) {
    const std::size_t count = components.sums.size();
    if (count == 0) {
        return "";
    }
    const std::uint64_t area =
        std::accumulate(components.sums.begin(), components.sums.end(), std::uint64_t{0},
                        [](std::uint64_t sum, const ComponentSums& c) { return sum + c.area; });
    const double image = static_cast<double>(components.picture.width) * components.picture.height;
    return fmt::format("{}: {}, {:.2f} on average, {:.2f}% of the image\n", counted(count, "component"),
                       counted(area, "pixel"), static_cast<double>(area) / static_cast<double>(count),
                       100 * static_cast<double>(area) / image);
}

} // namespace

Table components_table(const std::vector<ComponentMeasure>& measures, MeasuredComponents components) {
    Table table;
    table.columns.push_back({"label"});
    std::vector<std::function<TableCell(const Measured&)>> cells;
    for (const ComponentMeasure measure : measures) {
        for (Column& column : columns_of(measure, components.with)) {
            table.columns.push_back(std::move(column.as));
            cells.push_back(std::move(column.cell));
        }
    }
    table.rows = [cells = std::move(cells), components = std::move(components)](const TakeRow& take) {
        std::vector<TableCell> row(cells.size() + 1);
        for (std::size_t i = 0; i < components.sums.size(); ++i) {
            row[0] = static_cast<std::int64_t>(i + 1);
            std::transform(cells.begin(), cells.end(), row.begin() + 1, [&](const auto& cell) {
                return cell({components, i});
            });
            take(row);
        }
    };
    return table;
}

Report report_of(const Components& op, const std::string& name, const MeasuredComponents& components) {
    const Form& form = components.picture;
    const std::size_t count = components.sums.size();
    Value::Object facts{{"schema", {"glproc.components/1"}},
                        {"input", {name}},
                        {"width", {std::int64_t{form.width}}},
                        {"height", {std::int64_t{form.height}}}};
    if (op.with.image) {
        facts.push_back({"with", {op.with.path}});
    }
    facts.push_back({"count", {static_cast<std::int64_t>(count)}});
    Report report =
        report_of(std::move(facts), "components", components_table(op.measure, components),
                  fmt::format("{}  {}x{}  {}", name, form.width, form.height, counted(count, "component")));
    report.text = [table = std::move(report.text), summary = summary_of(components)](const TextShape& shape) {
        return table(shape) + summary;
    };
    return report;
}

} // namespace glproc
