// Which operations of the registry also work on planes of luma and chroma.
#pragma once

#include "glproc/op/by_planes.hpp"

#include <string>

namespace glproc {

/// Null for all others.
const ByPlanes* by_planes_of(const OpInfo& op);

/// "blur, median, resize or unsharp"
std::string names_by_planes();

} // namespace glproc
