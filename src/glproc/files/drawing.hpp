// The module that draws, once it is needed.
#pragma once

#include "glproc/files/modules/drawing.hpp"

namespace glproc {

/// Throws Error(operation) where its library is missing, with what to install.
const modules::Draughtsman& draughtsman();

} // namespace glproc
