// The kernels as they were when the library was built.
#pragma once

#include <map>
#include <string_view>

namespace glproc {

/// Every file of glsl/, by its path relative to that folder ("kinds/separable/direct.comp", "lib/border.glsl").
const std::map<std::string_view, std::string_view>& embedded_glsl();

} // namespace glproc
