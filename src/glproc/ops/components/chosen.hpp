// The parameters of a call applied to components, by whatever method these were found.
#pragma once

#include "glproc/ops/components.hpp"
#include "glproc/ops/components/measures.hpp"
#include "glproc/ops/components/sums.hpp"
#include "glproc/ops/threshold.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace glproc {

/// The threshold of a call that has one.
Threshold threshold_of(const Components& op);

/// The neighbours that belong together in the background.
Connectivity other(Connectivity connectivity);

/// Whether a component touches the border of the picture.
bool is_outside(const ComponentSums& component, const Form& picture);

/// The needs of all measures of a call, also in its filter.
ComponentNeeds needs_of(const Components& op);
/// Whether the filter needs labels.
bool filters_labelled(const Components& op);

struct ChosenComponents {
    std::vector<ComponentSums> kept = {};   ///< in their order
    std::vector<std::uint32_t> labels = {}; ///< of all that were found, or 0; empty where all are kept
};

/// By their sizes and places. Also by the filter, and then those that are largest, unless the filter needs
/// labels.
ChosenComponents chosen_of(const Components& op, const Form& picture, std::vector<ComponentSums> found);

/// By a filter that needs labels, and then those that are largest; the others are left out of `components`.
/// The result is ChosenComponents::labels.
std::vector<std::uint32_t> choose_measured(const Components& op, MeasuredComponents& components);

/// The form of the picture that is painted.
Form painted_form(const Components& op, const Form& form);

/// Throws Error(operation) where pixels of 16 bits cannot hold so many labels.
void check_16_bits(std::size_t labels);

/// Says how many objects a result has.
void add_objects_finding(std::size_t count);

} // namespace glproc
