// The colour behind an image that is moved, turned or bent.
#pragma once

#include "glproc/kinds/filter.hpp"

#include <optional>

namespace glproc {

/// The colour, or the border without one.
inline Border border_of(const std::optional<Colour>& background, const Border& border) {
    return background ? Border(*background) : border;
}

} // namespace glproc
