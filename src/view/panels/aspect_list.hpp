// The aspects of photos and screens, to choose from.
#pragma once

#include <string>

namespace glproc::view {

/// A list with the usual ones; the text is empty for none. True where another was chosen.
bool choose_aspect(std::string& text);

} // namespace glproc::view
