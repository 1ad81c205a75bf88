// Colour management by a library that not every machine has.
#pragma once

#include "glproc/files/modules/colour.hpp"

namespace glproc {

/// Loads the module on first use. Throws Error(operation), with a hint what to install, where it is missing.
const modules::ColourModule& colour_management();

} // namespace glproc
