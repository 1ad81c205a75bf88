// Connected components by their definition.
#pragma once

#include "glproc/ops/components/labelling.hpp"
#include "support/masks.hpp"

#include <cstdint>
#include <vector>

namespace glproc::test {

using Labels = std::vector<std::uint32_t>;

/// The label of every pixel, and a row for each label.
struct Found {
    Labels labels;
    std::vector<ComponentSums> table;
    bool operator==(const Found&) const = default;
};

/// Each component is filled from its first pixel on.
Found reference_components(const Mask& mask, Connectivity connectivity);

/// The mask without the holes of its objects: background that the edge of the mask does not reach.
Mask without_holes(const Mask& mask, Connectivity connectivity);

} // namespace glproc::test
