// Names in calls that people type.
#pragma once

#include <string>

namespace glproc {

/// A word as a shell takes it for one.
std::string shell_word(const std::string& word);

} // namespace glproc
