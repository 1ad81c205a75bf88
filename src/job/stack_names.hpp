// The images of a file by what they are in its stack: "in.tif#z=4", "in.tif#c=dapi,t=0..9".
#pragma once

#include "glproc/image/stack_axes.hpp"
#include "job/budget.hpp"

#include <optional>
#include <string>

namespace glproc::job {

/// What a file tells of its images, which are so many. Throws Error(input).
std::optional<StackAxes> stack_of(const std::string& path, int images, const Reading& reading);

/// A place that names images by their axes, as one that names them by number: "in.tif#5,13,21". Slices,
/// channels and times count from 0, as in OME-XML and NumPy, and channels have names, too. Another place
/// stays. Throws Error: usage for an axis or a name that the file does not have, and input.
std::string place_by_number(const std::string& place, const Reading& reading);

} // namespace glproc::job
