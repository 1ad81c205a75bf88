// Plans that run one after another on parts: each makes no more of a picture than the next one needs.
#pragma once

#include "glproc/op/plan.hpp"

#include <vector>

namespace glproc {

using Plans = std::vector<Plan>;

/// Runs of point operations become one plan each, or several where a program would take the driver too long.
Plans joined(const Plans& plans);

/// Plans that neither analyse nor repeat their picture, as one plan that is cut like any other.
Plan cut_together(Context& gpu, const Plans& plans);

/// Whether the whole picture fits on the GPU from end to end.
bool fits_whole(Context& gpu, const Plans& plans);

} // namespace glproc
