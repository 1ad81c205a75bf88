// The measures of components as a table.
#pragma once

#include "glproc/op/table.hpp"
#include "glproc/ops/components.hpp"
#include "glproc/ops/components/measures.hpp"

#include <string>
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

/// All that is known of the components that are left.
struct MeasuredComponents {
    std::vector<ComponentSums> sums = {};
    std::vector<LabelledSums> labelled = {}; ///< for measures that need them, else empty
    Form with = {};                          ///< of the picture whose values were measured
};

/// A row for each component, with its label first.
Table components_table(const std::vector<ComponentMeasure>& measures, MeasuredComponents components);

Report report_of(const Components& op, const std::string& name, const Form& form, const MeasuredComponents& components);

} // namespace glproc
