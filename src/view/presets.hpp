// Recipes that the window offers by name. No window, no OpenGL.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace glproc::view {

/// $XDG_CONFIG_HOME/glproc/presets or ~/.config/glproc/presets; empty if nothing says where home is.
std::filesystem::path preset_folder();

/// The files of it, in the order of their names.
std::vector<std::filesystem::path> presets_in(const std::filesystem::path& folder);

} // namespace glproc::view
