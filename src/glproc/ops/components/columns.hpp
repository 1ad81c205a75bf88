// The measures of components as columns of numbers.
#pragma once

#include "glproc/op/table.hpp"
#include "glproc/ops/components.hpp"
#include "glproc/ops/components/measures.hpp"

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace glproc {

/// The moments of the second order around the centroid, divided by the area.
struct SecondMoments {
    double xx = 0;
    double xy = 0;
    double yy = 0;
};

/// From exact sums, so that the differences of large numbers lose nothing.
SecondMoments second_moments(const ComponentSums& sums);

/// One component.
struct Measured {
    const MeasuredComponents& all;
    std::size_t at = 0;

    const ComponentSums& sums() const { return all.sums[at]; }
    const LabelledSums& labelled() const { return all.labelled[at]; }
    const HullShape& hull() const { return all.hulls[at]; }
};

struct Column {
    TableColumn as;
    std::function<TableCell(const Measured&)> cell;
};

/// The columns of a measure. `with`: the form of the picture whose values are measured.
std::vector<Column> columns_of(ComponentMeasure measure, const Form& with);

/// The measure that has a column of this name for any picture.
std::optional<ComponentMeasure> measure_of_column(std::string_view name);

std::optional<Column> column_named(std::string_view name, const Form& with);

/// Names of columns that someone may have meant: the columns of a measure, or names that begin like this, or
/// one that is spelled almost so.
std::vector<std::string> columns_like(std::string_view word);

/// The needs of the columns of these measures.
ComponentNeeds needs_of(const std::vector<ComponentMeasure>& measures);

} // namespace glproc
