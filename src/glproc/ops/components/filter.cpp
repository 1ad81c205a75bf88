#include "glproc/ops/components/filter.hpp"

#include "glproc/base/error.hpp"

#include <cstdint>
#include <utility>
#include <variant>

#include <fmt/format.h>

namespace glproc {

namespace {

using Step = ComponentFilter::Step;

bool meets(double value, Step step, double number) {
    switch (step) {
    case Step::less:
        return value < number;
    case Step::at_most:
        return value <= number;
    case Step::more:
        return value > number;
    case Step::at_least:
        return value >= number;
    case Step::equal:
        return value == number;
    default:
        return value < number || value > number; // not of NaN
    }
}

} // namespace

bool ComponentFilter::keeps(const std::function<double(std::size_t)>& value) const {
    std::vector<bool> open; // answers that no part has joined yet
    for (std::size_t i = 0; i < parts.size(); ++i) {
        if (parts[i].compares()) {
            open.push_back(meets(value(i), parts[i].step, parts[i].number));
            continue;
        }
        const bool last = open.back();
        if (parts[i].step == Step::opposite) {
            open.back() = !last;
            continue;
        }
        open.pop_back();
        open.back() = parts[i].step == Step::both ? open.back() && last : open.back() || last;
    }
    return open.empty() || open.back();
}

std::vector<ComponentMeasure> measures_of(const ComponentFilter& filter) {
    std::vector<ComponentMeasure> measures;
    for (const ComponentFilter::Part& part : filter.parts) {
        if (part.compares()) {
            measures.push_back(measure_of_column(part.measure).value());
        }
    }
    return measures;
}

void check_filter(const Components& op) {
    if (!op.keep || !op.with.image) {
        return;
    }
    const Form with = op.with.image->form();
    for (const ComponentFilter::Part& part : op.keep->parts) {
        if (part.compares() && !column_named(part.measure, with)) {
            const std::vector<Column> others = columns_of(measure_of_column(part.measure).value(), with);
            throw Error(ErrorCode::usage, fmt::format("--keep: this --with has no {}", part.measure),
                        fmt::format("--keep '{} > {}'", others.front().as.name, part.number));
        }
    }
}

std::function<bool(std::size_t)> filter_of(const ComponentFilter& filter, const MeasuredComponents& all) {
    std::vector<Column> columns(filter.parts.size());
    for (std::size_t i = 0; i < columns.size(); ++i) {
        if (filter.parts[i].compares()) {
            columns[i] = column_named(filter.parts[i].measure, all.with).value();
        }
    }
    return [&filter, &all, columns = std::move(columns)](std::size_t component) {
        return filter.keeps([&](std::size_t part) {
            const TableCell cell = columns[part].cell({all, component});
            const auto* whole = std::get_if<std::int64_t>(&cell);
            return whole != nullptr ? static_cast<double>(*whole) : std::get<double>(cell);
        });
    };
}

} // namespace glproc
